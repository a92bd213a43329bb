# The list of buffers that a tensor is made of.

function BufferList(buffers)
    list = made(out -> hurray_buffer_list_new(length(buffers), out), BufferList, HurrayBufferList)
    for buffer in buffers
        # A list takes its buffers; the caller keeps what it has.
        taken = share(buffer)
        check(hurray_buffer_list_push(list, taken))
        taken.pointer = C_NULL
    end
    return list
end

# The buffer at `index`, from 1, borrowed: alive as long as what the list belongs to.
borrowed(list::Ptr{HurrayBufferList}, index::Integer) =
    value_of(out -> hurray_buffer_list_get(list, index - 1, out), Ptr{HurrayBuffer})
