# Descriptors made of values.

function set(builder::DescriptorBuilder, field::Field)
    number, level, value = field.number, field.level, field.value
    kind = field.kind
    status = if kind == 1
        hurray_descriptor_builder_set_u64(builder, number, level, value)
    elseif kind == 2
        hurray_descriptor_builder_set_i64(builder, number, level, value)
    elseif kind == 3
        hurray_descriptor_builder_set_f64(builder, number, level, value)
    elseif kind == 4
        hurray_descriptor_builder_set_u64_array(builder, number, level, value, length(value))
    elseif kind == 5
        hurray_descriptor_builder_set_i64_array(builder, number, level, value, length(value))
    else
        hurray_descriptor_builder_set_bytes(builder, number, level, value, length(value))
    end
    check(status)
    return nothing
end

push_buffer(builder::DescriptorBuilder, entry::BufferEntry) = check(hurray_descriptor_builder_push_buffer(
    builder, entry.byte_size, entry.alignment, tag_of(HURRAY_SPACE_DEVICE, entry.device),
    tag_of(HURRAY_SPACE_SYNC_MODE, entry.sync_mode), tag_of(HURRAY_SPACE_MEMORY_CLASS, entry.memory_class),
))
push_buffer(builder::DescriptorBuilder, buffer::Buffer) = check(hurray_descriptor_builder_push_buffer(
    builder, sizeof(buffer), alignment(buffer),
    value_of(out -> hurray_buffer_device_tag(buffer, out), UInt8),
    value_of(out -> hurray_buffer_sync_mode(buffer, out), UInt8),
    value_of(out -> hurray_buffer_memory_class(buffer, out), UInt8),
))

"What a descriptor declares of a buffer of the host: `BufferEntry(bytes)`."
BufferEntry(byte_size::Integer; alignment = 64, device = :cpu, sync_mode = :producer_synced, memory_class = :standard) =
    BufferEntry(byte_size, alignment, device, sync_mode, memory_class, :unknown, 0)

"""
    build(type, shape; layout, byte_offset, quantization, statistics, shard, extension_type, member_role, buffers)

The descriptor of an element type (an `ElementType`, a Julia type, or a name), a shape (`nothing` is a dynamic
dimension) and what else is given. `buffers` are `Buffer`s or `BufferEntry`s; left out, they are those that the layout
and the scheme imply, of the smallest sizes. Everything is validated by the library.
"""
function build(
    type, dims;
    layout::Layout = RowMajorLayout(),
    byte_offset::Integer = 0,
    quantization::Union{Nothing,Quantization} = nothing,
    statistics::Union{Nothing,Statistics} = nothing,
    shard::Union{Nothing,Shard} = nothing,
    extension_type::Union{Nothing,ExtensionType} = nothing,
    member_role::Union{Nothing,Symbol} = nothing,
    buffers = nothing,
)
    sizes = UInt64[dim === nothing ? typemax(UInt64) : dim for dim in dims]
    element = ElementType(type)
    builder = made(DescriptorBuilder, HurrayDescriptorBuilder) do out
        hurray_descriptor_builder_new(element.tag, layout_tag(layout), sizes, length(sizes), out)
    end
    try
        foreach(field -> set(builder, field), written(layout))
        byte_offset == 0 || set(builder, u64(HURRAY_HEADER_FIELD_BYTE_OFFSET, byte_offset))
        for section in (quantization, statistics, shard, extension_type)
            foreach(field -> set(builder, field), written(section))
        end
        member_role === nothing ||
            set(builder, tag(HURRAY_MEMBER_FIELD_ROLE, HURRAY_SPACE_MEMBER_ROLE, member_role))
        if buffers === nothing
            check(hurray_descriptor_builder_push_default_buffers(builder))
        else
            foreach(buffer -> push_buffer(builder, buffer), buffers)
        end
        return made(out -> hurray_descriptor_builder_finish(builder, out), Descriptor, HurrayDescriptor)
    finally
        close(builder)
    end
end

Descriptor(type::Union{ElementType,Type,Symbol}, dims; options...) = build(type, dims; options...)
