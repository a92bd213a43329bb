# Conversions. Each takes `copy` (`nothing`: where it is needed, `false`: never, `true`: always), `threads` (0: as many
# as help) and a `progress`, and gives a new tensor.

# Runs a conversion with options; `call` gets the options and where the result goes.
function converted(call; copy::Union{Nothing,Bool} = nothing, threads::Integer = 1, progress = nothing)
    return with_options(progress, copy_setting(copy), HURRAY_OPTION_THREADS => threads) do options
        made(out -> call(options, out), Tensor, HurrayTensor)
    end
end

"""
    to_layout(tensor, layout; byte_offset = 0, copy = nothing, threads = 1, progress = nothing) -> Tensor

The same elements in another layout. A tensor that is in it already comes back as a share; `copy = false` refuses to
copy, `copy = true` copies all the same.
"""
function to_layout(tensor::Tensor, layout::Layout; byte_offset::Integer = 0, how...)
    target = build(element_type(tensor), shape(tensor); layout = layout, byte_offset = byte_offset)
    try
        return converted(; how...) do options, out
            hurray_tensor_to_layout(tensor, target, C_NULL, options, C_NULL, out)
        end
    finally
        close(target)
    end
end

"""
    dequantize(tensor, T = Float32; copy = nothing, threads = 1, progress = nothing) -> Tensor

Numbers of type `T` (`Float16`, `BFloat16`, `Float32` or `Float64`): what quantized codes stand for, or the values of a
tensor without a scheme. A dense tensor gives a row-major one.
"""
function dequantize(tensor::Tensor, T = Float32; how...)
    type = ElementType(T)
    return converted(; how...) do options, out
        hurray_tensor_dequantize(tensor, type.tag, C_NULL, options, C_NULL, out)
    end
end

"""
    quantize(tensor, type, scheme, parameters = nothing; layout = RowMajorLayout(), copy = nothing, threads = 1,
             progress = nothing) -> Tensor

Codes of a scheme for a dense tensor of real numbers. `parameters` are the scales, and zero points if the scheme has
them, as arrays or buffers; `nothing` computes them of the data. Of a per-tensor scheme `()` takes its own scale.
"""
function quantize(
    tensor::Tensor, type, scheme::Quantization, parameters = nothing; layout::Layout = RowMajorLayout(), how...,
)
    target = build(type, shape(tensor); layout = layout, quantization = scheme)
    buffers = parameters === nothing ? nothing :
        BufferList([one isa Buffer ? one : Buffer(one) for one in parameters])
    try
        return converted(; how...) do options, out
            hurray_tensor_quantize(
                tensor, target, buffers === nothing ? C_NULL : buffers, C_NULL, options, C_NULL, out,
            )
        end
    finally
        buffers === nothing || close(buffers)
        close(target)
    end
end

"""
    unpack(tensor; copy = nothing, threads = 1, progress = nothing) -> Tensor

The codes of a dense tensor of a packed type, one a byte: `Int8` for `int4` and `int2`, else `UInt8`. Those of narrow
floats are bit patterns, those of truth values 0 and 1.
"""
unpack(tensor::Tensor; how...) = converted(; how...) do options, out
    hurray_tensor_unpack(tensor, C_NULL, options, C_NULL, out)
end

"""
    pack(tensor, type; copy = nothing, threads = 1, progress = nothing) -> Tensor

A dense tensor of `Int8` or `UInt8`, one code a byte, as a packed type such as `:int4`. As `Bool`, every byte but 0 is
1.
"""
function pack(tensor::Tensor, type; how...)
    element = ElementType(type)
    return converted(; how...) do options, out
        hurray_tensor_pack(tensor, element.tag, C_NULL, options, C_NULL, out)
    end
end

# The first index from 0, what the indices stop before, and the step.
limits(::Colon, extent) = (0, extent, 1)
limits(index::Integer, _) = (index - 1, index, 1)
function limits(range::AbstractRange{<:Integer}, _)
    isempty(range) && return (0, 0, 1)
    return (first(range) - 1, last(range) - 1 + sign(step(range)), step(range))
end

"""
    slice(tensor, indices...; copy = nothing, threads = 1, progress = nothing) -> Tensor

Part of a dense tensor: for each axis a range, of any step, an index (the axis stays, with one element) or `:`. Of
row-major, column-major and strided tensors it shares the memory.
"""
function slice(tensor::Tensor, indices::Union{Colon,Integer,AbstractRange{<:Integer}}...; how...)
    dims = size(tensor)
    length(indices) == length(dims) || throw(InvalidArgumentError(
        HURRAY_ERR_INVALID_ARGUMENT, "$(length(indices)) indices for a tensor of $(length(dims)) axes",
    ))
    parts = map(limits, indices, dims)
    starts, stops, steps = (Int64[part[k] for part in parts] for k in 1:3)
    return converted(; how...) do options, out
        hurray_tensor_slice(tensor, starts, stops, steps, length(steps), options, C_NULL, out)
    end
end

# How many tokens each sequence of a block-paged tensor has, as the library takes it.
lengths_of(::Nothing) = (C_NULL, 0)
lengths_of(lengths) = (UInt64[lengths...], length(lengths))

"""
    gather(paged, sequence_lengths = nothing; copy = nothing, threads = 1, progress = nothing) -> Tensor

All tokens of a block-paged tensor, sequence after sequence, as a row-major tensor of its shape. `sequence_lengths` says
how many tokens each sequence has; `nothing` will do where there is one sequence, or where every page is full.
"""
function gather(paged::Tensor, sequence_lengths = nothing; how...)
    lengths, count = lengths_of(sequence_lengths)
    return converted(; how...) do options, out
        hurray_tensor_gather(paged, lengths, count, C_NULL, options, C_NULL, out)
    end
end

"""
    scatter!(paged, tokens, sequence_lengths = nothing; threads = 1, progress = nothing) -> paged

Writes a dense tensor of tokens into the pages of a block-paged one of the same shape and element type, in place: nobody
else may use those meanwhile. The inverse of [`gather`](@ref Hurray.gather).
"""
function scatter!(
    paged::Tensor, tokens::Tensor, sequence_lengths = nothing; threads::Integer = 1, progress = nothing,
)
    lengths, count = lengths_of(sequence_lengths)
    with_options(progress, HURRAY_OPTION_THREADS => threads) do options
        check(hurray_tensor_scatter(tokens, paged, lengths, count, options, C_NULL))
    end
    return paged
end

"""
    compute_statistics(tensor; threads = 1, progress = nothing) -> Statistics

What one pass over the elements finds: how many are not zero, minimum and maximum, mean and standard deviation, NaN and
infinity. Numbers are those that quantized codes stand for.
"""
function compute_statistics(tensor::Tensor; threads::Integer = 1, progress = nothing)
    found = with_options(progress, HURRAY_OPTION_THREADS => threads) do options
        made(out -> hurray_tensor_statistics(tensor, options, out), Descriptor, HurrayDescriptor)
    end
    return statistics(found)
end

"""
    element_offset(tensor, index...) -> Int

Where the element of an index lies, in elements from the first one: 0 for that, negative where strides lead below it. Of
a sparse tensor it is the position among the stored values; of a block-paged one, whose index is sequence, token, head
and component, the position in the pool.
"""
function element_offset(tensor::Tensor, index::Integer...)
    zero_based = UInt64[(i - 1) % UInt64 for i in index]
    out = Ref{UInt64}(0)
    check(hurray_tensor_element_offset(tensor, zero_based, length(zero_based), out))
    return reinterpret(Int64, out[])
end

"""
    check_data(tensor; threads = 1, progress = nothing)

Holds what the buffers hold to the format: coordinates inside the shape and in order, pointers that rise, pages that
exist, scales that their scheme allows, unused bits that are 0. The error names the rule, the part and the position.
Conversions need no such check: they look at each index as they use it.
"""
function check_data(tensor::Tensor; threads::Integer = 1, progress = nothing)
    with_options(progress, HURRAY_OPTION_THREADS => threads) do options
        check(hurray_tensor_check_data(tensor, options))
    end
    return nothing
end
