# DLPack: tensors of libraries that know no other form.

"""
    to_dlpack(tensor; versioned = true, copy = nothing) -> Ptr{Cvoid}

The tensor as DLPack's struct: a raw `DLManagedTensorVersioned *`, or with `versioned = false` the older
`DLManagedTensor *`. Whoever gets it calls its deleter, once, on any thread; until then it keeps the tensor's memory.
Throws [`UnsupportedError`](@ref Hurray.UnsupportedError) for what DLPack cannot carry; the text says why.
"""
function to_dlpack(tensor::Tensor; versioned::Bool = true, copy::Union{Nothing,Bool} = nothing)
    options = Options(copy_setting(copy))
    try
        versioned || return Ptr{Cvoid}(value_of(Ptr{DLManagedTensor}) do out
            hurray_tensor_to_dlpack_unversioned(tensor, options, out)
        end)
        return Ptr{Cvoid}(value_of(Ptr{DLManagedTensorVersioned}) do out
            hurray_tensor_to_dlpack(tensor, options, out)
        end)
    finally
        close(options)
    end
end

"""
    from_dlpack(pointer; versioned = true, copy = nothing) -> Tensor

Takes DLPack's struct, and with it the duty to call its deleter, which runs once when the last share of the tensor goes.
Nothing is copied where the format can describe the memory. After an error the struct is still the caller's; but one of
an unknown major version was released, as DLPack demands. The memory of an unversioned struct is read-only.
"""
function from_dlpack(pointer::Ptr; versioned::Bool = true, copy::Union{Nothing,Bool} = nothing)
    options = Options(copy_setting(copy))
    try
        versioned || return made(Tensor, HurrayTensor) do out
            hurray_tensor_from_dlpack_unversioned(Ref(Ptr{DLManagedTensor}(pointer)), options, out)
        end
        return made(Tensor, HurrayTensor) do out
            hurray_tensor_from_dlpack(Ref(Ptr{DLManagedTensorVersioned}(pointer)), options, out)
        end
    finally
        close(options)
    end
end

"""
    dlpack_device(tensor) -> (type, id)

The DLPack device that an export would carry, without exporting.
"""
function dlpack_device(tensor::Tensor)
    type, id = Ref{Int32}(0), Ref{Int32}(0)
    check(hurray_tensor_dlpack_device(tensor, type, id))
    return (type = Int(type[]), id = Int(id[]))
end
