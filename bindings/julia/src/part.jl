# The arrays inside a tensor: values, indices, scales.

const PART_ROLES = (
    values = HURRAY_ROLE_VALUES,
    indices = HURRAY_ROLE_INDICES,
    pointers = HURRAY_ROLE_POINTERS,
    csf_pos = HURRAY_ROLE_CSF_POS,
    csf_crd = HURRAY_ROLE_CSF_CRD,
    block_table = HURRAY_ROLE_BLOCK_TABLE,
    seq_ptr = HURRAY_ROLE_SEQ_PTR,
    scales = HURRAY_ROLE_SCALES,
    zero_points = HURRAY_ROLE_ZERO_POINTS,
)

"""
    part(tensor, role; level = 1) -> Tensor

One array inside a tensor as a dense tensor that shares its memory. `role` is `:values`, `:indices`, `:pointers`,
`:csf_pos`, `:csf_crd` (these two with the `level` of the tree), `:block_table`, `:seq_ptr`, `:scales` or
`:zero_points`. What the arrays hold is the format's: indices in them count from 0.
"""
function part(tensor::Tensor, role::Symbol; level::Integer = 1)
    haskey(PART_ROLES, role) || throw(InvalidArgumentError(HURRAY_ERR_INVALID_ARGUMENT, "no part is named $role"))
    return made(out -> hurray_tensor_part(tensor, PART_ROLES[role], level - 1, out), Tensor, HurrayTensor)
end

function part_view(tensor::Tensor, role::Symbol)
    one = part(tensor, role)
    try
        return view(one)
    finally
        close(one)
    end
end

"The stored values of a sparse tensor, or the pages of a paged one, in place."
values(tensor::Tensor) = part_view(tensor, :values)
"Coordinates: of COO `[nnz, rank]`, of CSR and CSC `[nnz]`; in place, from 0."
indices(tensor::Tensor) = part_view(tensor, :indices)
"Where each row (CSR) or column (CSC) begins in the values, and the end of the last; in place, from 0."
pointers(tensor::Tensor) = part_view(tensor, :pointers)
"The scales of a quantized tensor, in place."
scales(tensor::Tensor) = part_view(tensor, :scales)
"The zero points of a quantized tensor, in place."
zero_points(tensor::Tensor) = part_view(tensor, :zero_points)
