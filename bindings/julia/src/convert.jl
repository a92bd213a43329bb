# Conversions. Each takes `copy` (`nothing`: where it is needed, `false`: never, `true`: always) and `threads` (0: as
# many as help), and gives a new tensor.

# Runs a conversion with options; `call` gets the options and where the result goes.
function converted(call; copy::Union{Nothing,Bool}, threads::Integer)
    options = Options(copy_setting(copy), HURRAY_OPTION_THREADS => threads)
    try
        return made(out -> call(options, out), Tensor, HurrayTensor)
    finally
        close(options)
    end
end

"""
    to_layout(tensor, layout; byte_offset = 0, copy = nothing, threads = 1) -> Tensor

The same elements in another layout. A tensor that is in it already comes back as a share; `copy = false` refuses to
copy, `copy = true` copies all the same.
"""
function to_layout(tensor::Tensor, layout::Layout; byte_offset::Integer = 0, copy = nothing, threads::Integer = 1)
    target = build(element_type(tensor), shape(tensor); layout = layout, byte_offset = byte_offset)
    try
        return converted(copy = copy, threads = threads) do options, out
            hurray_tensor_to_layout(tensor, target, C_NULL, options, C_NULL, out)
        end
    finally
        close(target)
    end
end

"""
    dequantize(tensor, T = Float32; copy = nothing, threads = 1) -> Tensor

Numbers of type `T` (`Float16`, `BFloat16`, `Float32` or `Float64`): what quantized codes stand for, or the values of a
tensor without a scheme. A dense tensor gives a row-major one.
"""
function dequantize(tensor::Tensor, T = Float32; copy = nothing, threads::Integer = 1)
    type = ElementType(T)
    return converted(copy = copy, threads = threads) do options, out
        hurray_tensor_dequantize(tensor, type.tag, C_NULL, options, C_NULL, out)
    end
end

"""
    quantize(tensor, type, scheme, parameters = nothing; layout = RowMajorLayout(), copy = nothing, threads = 1)

Codes of a scheme for a dense tensor of real numbers. `parameters` are the scales, and zero points if the scheme has
them, as arrays or buffers; `nothing` computes them of the data. Of a per-tensor scheme `()` takes its own scale.
"""
function quantize(
    tensor::Tensor, type, scheme::Quantization, parameters = nothing; layout::Layout = RowMajorLayout(), copy = nothing,
    threads::Integer = 1,
)
    target = build(type, shape(tensor); layout = layout, quantization = scheme)
    buffers = parameters === nothing ? nothing :
        BufferList([one isa Buffer ? one : Buffer(one) for one in parameters])
    try
        return converted(copy = copy, threads = threads) do options, out
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
    unpack(tensor; copy = nothing, threads = 1) -> Tensor

The codes of a dense tensor of a packed type, one a byte: `Int8` for `int4` and `int2`, else `UInt8`. Those of narrow
floats are bit patterns, those of truth values 0 and 1.
"""
unpack(tensor::Tensor; copy = nothing, threads::Integer = 1) = converted(copy = copy, threads = threads) do options, out
    hurray_tensor_unpack(tensor, C_NULL, options, C_NULL, out)
end

"""
    pack(tensor, type; copy = nothing, threads = 1) -> Tensor

A dense tensor of `Int8` or `UInt8`, one code a byte, as a packed type such as `:int4`. As `Bool`, every byte but 0 is
1.
"""
function pack(tensor::Tensor, type; copy = nothing, threads::Integer = 1)
    element = ElementType(type)
    return converted(copy = copy, threads = threads) do options, out
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
    slice(tensor, indices...; copy = nothing, threads = 1) -> Tensor

Part of a dense tensor: for each axis a range, of any step, an index (the axis stays, with one element) or `:`. Of
row-major, column-major and strided tensors it shares the memory.
"""
function slice(
    tensor::Tensor, indices::Union{Colon,Integer,AbstractRange{<:Integer}}...; copy = nothing, threads::Integer = 1,
)
    dims = size(tensor)
    length(indices) == length(dims) || throw(InvalidArgumentError(
        HURRAY_ERR_INVALID_ARGUMENT, "$(length(indices)) indices for a tensor of $(length(dims)) axes",
    ))
    parts = map(limits, indices, dims)
    starts, stops, steps = (Int64[part[k] for part in parts] for k in 1:3)
    return converted(copy = copy, threads = threads) do options, out
        hurray_tensor_slice(tensor, starts, stops, steps, length(steps), options, C_NULL, out)
    end
end

"""
    compute_statistics(tensor; threads = 1) -> Statistics

What one pass over the elements finds: how many are not zero, minimum and maximum, mean and standard deviation, NaN and
infinity. Numbers are those that quantized codes stand for.
"""
function compute_statistics(tensor::Tensor; threads::Integer = 1)
    options = Options(HURRAY_OPTION_THREADS => threads)
    found = made(out -> hurray_tensor_statistics(tensor, options, out), Descriptor, HurrayDescriptor)
    close(options)
    return statistics(found)
end
