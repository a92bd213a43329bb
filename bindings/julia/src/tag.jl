# Names of tags. The library has the tables.

# The name of a tag in one of the `HURRAY_SPACE_...`s, or `nothing`.
function tag_name(space::Integer, tag::Integer)
    out = Ref{Ptr{UInt8}}(C_NULL)
    status = hurray_tag_name(space, tag, out)
    status == HURRAY_ERR_NOT_FOUND && return nothing
    check(status)
    return unsafe_string(out[])
end

# A name for a tag that may have none: `private_f1`.
named(space::Integer, tag::Integer) =
    Symbol(something(tag_name(space, tag), "private_" * string(tag; base = 16, pad = 2)))

# The tag of a name.
function tag_of(space::Integer, name::Symbol)
    for tag in 0:255
        tag_name(space, tag) == String(name) && return tag
    end
    throw(InvalidArgumentError(HURRAY_ERR_INVALID_ARGUMENT, "there is no $(repr(name)) here"))
end
