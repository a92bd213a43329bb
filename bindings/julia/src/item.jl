# Items: what files and streams hold, a tensor or a composite of items; and descriptors that come alone.

"""
    Composite(rule, members; shape, type, combine_op = :none)
    Composite(head::Descriptor, members)

A head and its members, tensors or composites. `rule` is `:partition`, `:overlay` or `:group`; `combine_op` is
`:replace` or `:add` for an overlay. The whole is checked by all rules of composites.

`Hurray.members(c)`, `c[i]` and iteration give the members; what reads a `Descriptor` reads the head.
"""
mutable struct Composite <: Handle
    item::Item
end

function Base.getproperty(composite::Composite, name::Symbol)
    name === :pointer && return getfield(composite, :item).pointer
    return getfield(composite, name)
end

Base.close(composite::Composite) = close(composite.item)

item_of(composite::Composite) = (pointer_of(composite); composite.item)
item_of(tensor::Tensor) = made(out -> hurray_item_from_tensor(tensor, out), Item, HurrayItem)
item_of(array::AbstractArray) = (tensor = Tensor(array); item = item_of(tensor); close(tensor); item)

# A tensor's item is of this package's own making, and not needed any more.
done_with(item::Item, source) = source isa Composite || close(item)

"""
A descriptor without a tensor: one whose layout is unknown, from a stream that is read with `permissive`, or the head of
a composite, with `flat`. `Descriptor(item)` is it, and [`data`](@ref Hurray.data) the bytes that came with it. It cannot
be written.
"""
mutable struct DescriptorItem <: Handle
    item::Item
end

function Base.getproperty(alone::DescriptorItem, name::Symbol)
    name === :pointer && return getfield(alone, :item).pointer
    return getfield(alone, name)
end

Base.close(alone::DescriptorItem) = close(alone.item)

Base.show(io::IO, alone::DescriptorItem) = isopen(alone) ?
    print(io, "DescriptorItem(", describe(alone), ")") : print(io, "DescriptorItem(closed)")

# The tensor, composite or descriptor of an item, which is used up.
function unwrap(item::Item)
    kind = value_of(out -> hurray_item_kind(item, out), UInt32)
    kind == HURRAY_ITEM_COMPOSITE && return Composite(item)
    kind == HURRAY_ITEM_DESCRIPTOR && return DescriptorItem(item)
    tensor = made(out -> hurray_item_tensor(item, out), Tensor, HurrayTensor)
    close(item)
    return tensor
end

raw_head(item::Item) = value_of(out -> hurray_item_head(item, out), Ptr{HurrayDescriptor})
described(call, composite::Composite) = (item = item_of(composite); GC.@preserve item call(raw_head(item)))
described(call, alone::DescriptorItem) =
    (item = alone.item; pointer_of(alone); GC.@preserve item call(raw_head(item)))

share(item::Union{Item,Ptr{HurrayItem}}) = made(out -> hurray_item_share(item, out), Item, HurrayItem)

function Descriptor(composite::Union{Composite,DescriptorItem})
    pointer_of(composite)
    lender = share(composite.item)
    return Descriptor(raw_head(lender), lender)
end

"""
    data(item::DescriptorItem) -> Union{Tensor,Nothing}

The bytes that came with a descriptor whose layout is unknown, as a `UInt8` tensor: all its buffers, in order, without
padding. `nothing` where nobody knows how many they are, and for a head.
"""
function data(alone::DescriptorItem)
    pointer_of(alone)
    out = Ref{Ptr{HurrayTensor}}(C_NULL)
    status = hurray_item_data(alone.item, out)
    status == HURRAY_ERR_FIELD_NOT_APPLICABLE && return nothing
    check(status)
    return Tensor(out[])
end

function Composite(head::Descriptor, members)
    items = [item_of(member) for member in members]
    raw = Ptr{HurrayItem}[pointer_of(item) for item in items]
    item = GC.@preserve items made(Item, HurrayItem) do out
        hurray_item_composite_new(head, raw, length(raw), out)
    end
    foreach(done_with, items, members)
    return Composite(item)
end

function Composite(rule::Symbol, members; shape, type, combine_op::Symbol = :none)
    head = build(type, shape; layout = CompositeLayout(rule, combine_op, length(members)), buffers = ())
    try
        return Composite(head, members)
    finally
        close(head)
    end
end

Base.length(composite::Composite) =
    Int(value_of(out -> hurray_item_member_count(item_of(composite), out), UInt64))
Base.firstindex(::Composite) = 1
Base.lastindex(composite::Composite) = length(composite)

function Base.getindex(composite::Composite, index::Integer)
    item = item_of(composite)
    member = GC.@preserve item begin
        share(value_of(out -> hurray_item_member(item, index - 1, out), Ptr{HurrayItem}))
    end
    return unwrap(member)
end

Base.iterate(composite::Composite, index::Int = 1) =
    index > length(composite) ? nothing : (composite[index], index + 1)
Base.eltype(::Type{Composite}) = Union{Tensor,Composite}

"""
    assemble(composite; copy = nothing, threads = 1, progress = nothing) -> Tensor

One row-major tensor of a composite: a partition's members joined, an overlay's corrections applied to its base.
[`UnsupportedError`](@ref Hurray.UnsupportedError) for a group, whose members are independent.
"""
function assemble(composite::Composite; how...)
    item = item_of(composite)
    return converted(; how...) do options, out
        hurray_item_assemble(item, C_NULL, options, C_NULL, out)
    end
end

"The members of a composite, tensors and composites."
members(composite::Composite) = collect(composite)

Base.show(io::IO, composite::Composite) = isopen(composite) ?
    print(io, "Composite(", describe(composite), ", ", length(composite), " members)") : print(io, "Composite(closed)")
