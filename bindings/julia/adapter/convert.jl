# Conversions.

lengths_in(request) = haskey(request, "seq_lengths") ? integers(request["seq_lengths"]) : nothing

# Stops are before or behind the last component; ranges of Julia end with it, and count from 1.
function box_in(request)
    steps = haskey(request, "steps") ? integers(request["steps"]) : map(_ -> 1, request["starts"])
    return map(integers(request["starts"]), integers(request["stops"]), Tuple(steps)) do start, stop, step
        (start + 1):step:(stop + (step > 0 ? 0 : 2))
    end
end

function quantized(tensor, request)
    target = request["target"]
    scheme, layout = scheme_in(target["quantization"]), layout_in(target["layout"])
    parameters = haskey(request, "parameters") ? map(unhex, Tuple(request["parameters"])) : nothing
    return Hurray.quantize(tensor, element(target["dtype"]), scheme, parameters; layout = layout)
end

converted(::Val{:row_major}, tensor, _) = Hurray.to_layout(tensor, RowMajorLayout())
converted(::Val{:unpack}, tensor, _) = Hurray.unpack(tensor)
converted(::Val{:pack}, tensor, request) = Hurray.pack(tensor, element(request["dtype"]))
converted(::Val{:dequantize}, tensor, request) = Hurray.dequantize(tensor, element(request["dtype"]))
converted(::Val{:quantize}, tensor, request) = quantized(tensor, request)
converted(::Val{:gather}, tensor, request) = Hurray.gather(tensor, lengths_in(request))
converted(::Val{:scatter}, tensor, request) = Hurray.scatter!(item_in(request["paged"]), tensor, lengths_in(request))
converted(::Val{:assemble}, composite, _) = Hurray.assemble(composite)
function converted(::Val{:layout}, tensor, request)
    target = request["target"]
    offset = integer(get(target, "byte_offset", "0"))
    return Hurray.to_layout(tensor, layout_in(target["layout"]); byte_offset = offset)
end
function converted(::Val{:slice}, tensor, request)
    part = Hurray.slice(tensor, box_in(request)...)
    return Hurray.to_layout(part, RowMajorLayout(); copy = true)
end

function perform(::Val{:convert}, request)
    item, how = item_in(request["item"]), request["how"]
    how == "check" && (Hurray.check_data(item); return ok())
    how == "statistics" && return ok("statistics" => statistics_out(Hurray.compute_statistics(item)))
    how == "offset" && return ok("offset" => wide(Hurray.element_offset(item, (integers(request["index"]) .+ 1)...)))
    return ok("item" => item_out(converted(Val(Symbol(how)), item, request)))
end
