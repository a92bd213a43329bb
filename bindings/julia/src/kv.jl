# Key-value metadata of a file: Julia values and the types they are stored as.

# Type and raw values of what is stored, and whether it is an array. `Vector{UInt8}` is one value: bytes.
stored(value::Bool) = (HURRAY_KV_BOOL, false, UInt64[value])
stored(value::Signed) = (HURRAY_KV_INT64, false, Int64[value])
stored(value::Unsigned) = (HURRAY_KV_UINT64, false, UInt64[value])
stored(value::AbstractFloat) = (HURRAY_KV_FLOAT64, false, Float64[value])
stored(value::AbstractString) = (HURRAY_KV_STRING, false, [codeunits(String(value))])
stored(value::AbstractVector{UInt8}) = (HURRAY_KV_BYTES, false, [value])
stored(values::AbstractVector{Bool}) = (HURRAY_KV_BOOL, true, collect(UInt64, values))
stored(values::AbstractVector{<:Signed}) = (HURRAY_KV_INT64, true, collect(Int64, values))
stored(values::AbstractVector{<:Unsigned}) = (HURRAY_KV_UINT64, true, collect(UInt64, values))
stored(values::AbstractVector{<:AbstractFloat}) = (HURRAY_KV_FLOAT64, true, collect(Float64, values))
stored(values::AbstractVector{<:AbstractString}) =
    (HURRAY_KV_STRING, true, AbstractVector{UInt8}[codeunits(String(value)) for value in values])
stored(values::AbstractVector{<:AbstractVector{UInt8}}) = (HURRAY_KV_BYTES, true, values)
stored(value) = throw(InvalidArgumentError(
    HURRAY_ERR_INVALID_ARGUMENT, "no key-value type holds a $(typeof(value))",
))

function write_kv(writer::WriterHandle, key::AbstractString, value)
    name = String(key)
    type, is_array, values = stored(value)
    status = if values isa Vector{UInt64}
        hurray_file_writer_kv_set_u64(writer, name, sizeof(name), type, is_array, values, length(values))
    elseif values isa Vector{Int64}
        hurray_file_writer_kv_set_i64(writer, name, sizeof(name), type, is_array, values, length(values))
    elseif values isa Vector{Float64}
        hurray_file_writer_kv_set_f64(writer, name, sizeof(name), type, is_array, values, length(values))
    else
        data = reduce(vcat, values; init = UInt8[])
        ends = cumsum(UInt64[length(one) for one in values])
        hurray_file_writer_kv_set_packed(
            writer, name, sizeof(name), type, is_array, data, length(data), ends, length(ends),
        )
    end
    check(status, FileError)
    return nothing
end

# The `i`-th pair of a file, from 0, as Julia has it.
function read_kv(reader::ReaderHandle, i::Integer)
    name = text_of((out, len) -> hurray_file_reader_kv_key(reader, i, out, len))
    type, is_array, count = Ref{UInt8}(0), Ref{UInt8}(0), Ref{UInt64}(0)
    check(hurray_file_reader_kv_type(reader, i, type, is_array, count), FileError)
    values = kv_values(reader, i, Int(type[]), Int(count[]))
    return name => (is_array[] == 0 ? values[1] : values)
end

function kv_values(reader::ReaderHandle, i::Integer, type::Int, count::Int)
    if type == HURRAY_KV_UINT64 || type == HURRAY_KV_BOOL
        words = array_of((out, len) -> hurray_file_reader_kv_u64(reader, i, out, len), UInt64, count)
        return type == HURRAY_KV_BOOL ? Vector{Bool}(words .!= 0) : words
    elseif type == HURRAY_KV_INT64
        return array_of((out, len) -> hurray_file_reader_kv_i64(reader, i, out, len), Int64, count)
    elseif type == HURRAY_KV_FLOAT64
        return array_of((out, len) -> hurray_file_reader_kv_f64(reader, i, out, len), Float64, count)
    end
    pieces = packed_of(FileError) do bytes, len, ends, n
        hurray_file_reader_kv_packed(reader, i, bytes, len, ends, n)
    end
    return type == HURRAY_KV_STRING ? String.(pieces) : pieces
end
