# Conversions.

"""
    to_layout(tensor, layout; byte_offset = 0, copy = nothing) -> Tensor

The same elements in another layout: from any dense layout to any. A tensor that is in it already comes back as a share.
`copy = false` refuses to copy, `copy = true` copies all the same.
"""
function to_layout(tensor::Tensor, layout::Layout; byte_offset::Integer = 0, copy::Union{Nothing,Bool} = nothing)
    target = build(element_type(tensor), shape(tensor); layout = layout, byte_offset = byte_offset)
    options = Options(copy_setting(copy))
    try
        return made(Tensor, HurrayTensor) do out
            hurray_tensor_to_layout(tensor, target, C_NULL, options, C_NULL, out)
        end
    finally
        close(options)
        close(target)
    end
end
