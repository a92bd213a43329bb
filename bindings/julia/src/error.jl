# Statuses of the library as exceptions.

"""
What all errors of this package derive from. Fields: `status` (a `HURRAY_ERR_...` number, negative), `message` (the rule
first, then the field, value and offset that were wrong), `os_error` (the system's number, or 0), `offset` (in the
input, in bytes, or `nothing`).
"""
abstract type HurrayError <: Exception end

for (name, meaning) in (
    :InvalidDescriptorError => "A descriptor, or the values for one, break a rule of the format.",
    :BufferError => "A buffer does not fit its descriptor, or a handle is closed or of another kind.",
    :CopyRequiredError => "A copy would be needed, and `copy = false` forbade it.",
    :InvalidArgumentError => "An argument that no call could accept.",
    :IndexOutOfBoundsError => "A buffer, level or entry beyond what there is.",
    :UnsupportedError =>
        "Well-formed, but not possible here: another version, memory out of reach, a type Julia lacks.",
    :StreamError => "A stream ends inside something, breaks a rule of its form, or was ended by the peer.",
    :FileError => "A file cannot be read or written, or breaks a rule of the container.",
    :CancelledError => "The call was ended by [`cancel`](@ref Hurray.cancel).",
    :OutOfMemoryError => "An allocation failed.",
    :InternalError => "A fault inside the library.",
)
    @eval struct $name <: HurrayError
        status::Int32
        message::String
        os_error::Int32
        offset::Union{Nothing,UInt64}
    end
    @eval $name(status::Integer, message::AbstractString) = $name(status, message, 0, nothing)
    @eval @doc $meaning $name
end

"""
    status_name(status) -> String

The name of a status number, `"HURRAY_ERR_IO"`.
"""
status_name(status::Integer) = unsafe_string(hurray_status_name(status))

# A library that was refused names no statuses.
Base.showerror(io::IO, error::HurrayError) = print(
    io, nameof(typeof(error)), ": ", error.message, " (",
    ADDRESS_OF_hurray_status_name[] == C_NULL ? error.status : status_name(error.status), ")",
)

# The exception of a status. What only a file or a stream can be guilty of is the error of that `family`.
function error_type(status::Integer, family::Type{<:HurrayError})
    if status in (HURRAY_ERR_BUFFER_TOO_SMALL, HURRAY_ERR_BUFFER_MISMATCH, HURRAY_ERR_SYNC_MODE_MISMATCH,
                  HURRAY_ERR_INVALID_HANDLE, HURRAY_ERR_NULL_POINTER)
        return BufferError
    elseif status in (HURRAY_ERR_IO, HURRAY_ERR_CORRUPT, HURRAY_ERR_TORN, HURRAY_ERR_DUPLICATE, HURRAY_ERR_NOT_FOUND)
        return family === HurrayError ? InvalidArgumentError : family
    elseif status in (HURRAY_ERR_INVALID_MAGIC, HURRAY_ERR_TRUNCATED)
        return family === HurrayError ? InvalidDescriptorError : family
    elseif status in (HURRAY_ERR_INVALID_LAYOUT, HURRAY_ERR_INVALID_TYPE, HURRAY_ERR_INVALID_SYNC_MODE,
                      HURRAY_ERR_INVALID_DESCRIPTOR, HURRAY_ERR_OVERFLOW, HURRAY_ERR_LIMIT_EXCEEDED)
        return InvalidDescriptorError
    elseif status in (HURRAY_ERR_UNSUPPORTED, HURRAY_ERR_VERSION_MISMATCH)
        return UnsupportedError
    elseif status in (HURRAY_ERR_INVALID_ARGUMENT, HURRAY_ERR_FIELD_NOT_PRESENT, HURRAY_ERR_FIELD_NOT_APPLICABLE)
        return InvalidArgumentError
    elseif status == HURRAY_ERR_COPY_REQUIRED
        return CopyRequiredError
    elseif status == HURRAY_ERR_INDEX_OUT_OF_BOUNDS
        return IndexOutOfBoundsError
    elseif status == HURRAY_ERR_CANCELLED
        return CancelledError
    elseif status == HURRAY_ERR_OUT_OF_MEMORY
        return OutOfMemoryError
    end
    return InternalError
end

# The text belongs to the failing call only if its status does: answers store none.
function last_error(status::Integer, family::Type{<:HurrayError})
    stored, os_error, offset = Ref{Int32}(0), Ref{Int32}(0), Ref{UInt64}(0)
    hurray_last_error_info(stored, os_error, offset)
    kind = error_type(status, family)
    stored[] == status || return kind(status, "the library gave no text")
    room = Vector{UInt8}(undef, 512)
    len = Ref{Csize_t}(length(room))
    hurray_last_error_message(room, len) == HURRAY_OK || (len[] = 0)
    place = offset[] == typemax(UInt64) ? nothing : offset[]
    return kind(status, String(resize!(room, len[])), os_error[], place)
end

@noinline throw_last(status::Integer, family::Type{<:HurrayError}) = throw(last_error(status, family))

# The status of a call, if it is no error; else its exception. Follows the call at once: same thread, nothing between.
@inline function check(status::Int32, family::Type{<:HurrayError} = HurrayError)
    status < 0 && throw_last(status, family)
    return status
end
