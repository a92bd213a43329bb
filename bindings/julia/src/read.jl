# Values that the library writes through pointers.

# One value: `value_of(UInt32) do out; hurray_x(handle, out) end`.
@inline function value_of(call, ::Type{T}) where {T}
    out = Ref{T}()
    check(call(out))
    return out[]
end

# An array whose length is not known before: `call(array, length)`, twice if the first room was too small.
function array_of(call, ::Type{T}, room::Integer = 16) where {T}
    values = Vector{T}(undef, room)
    len = Ref{Csize_t}(room)
    status = call(values, len)
    if status == HURRAY_ERR_BUFFER_TOO_SMALL
        resize!(values, len[])
        status = call(values, len)
    end
    check(status)
    return resize!(values, len[])
end

text_of(call) = String(array_of(call, UInt8, 160))

# Pieces one after the other, and where each ends: `call(bytes, length, ends, count)`.
function packed_of(call, family::Type{<:HurrayError})
    bytes, ends = UInt8[], UInt64[]
    len, count = Ref{Csize_t}(0), Ref{Csize_t}(0)
    status = call(bytes, len, ends, count)
    if status == HURRAY_ERR_BUFFER_TOO_SMALL
        resize!(bytes, len[])
        resize!(ends, count[])
        status = call(bytes, len, ends, count)
    end
    check(status, family)
    starts = [UInt64(0); ends]
    return [bytes[(starts[i] + 1):ends[i]] for i in 1:length(ends)]
end
