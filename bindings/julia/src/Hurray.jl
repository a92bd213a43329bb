"""
Tensors of any language, without copying: made of Julia's arrays, viewed as Julia's arrays, read from files and streams.

Everything goes through one shared library, `libhurray`; this package reads no descriptor, file or frame by itself.
Indices are from 1, as everywhere in Julia: elements, axes, buffers, entries of a file.

`Tensor(array)` wraps, `view(tensor)` looks, `Hurray.open` and `Hurray.save` are files, `StreamReader` and
`StreamWriter` streams, `export_handle` and `import_handle` the way to and from another language in this process.
"""
module Hurray

import Libdl

export BFloat16, Composite, Descriptor, ElementType, Float8E4M3, Float8E5M2, Float8E8M0, HurrayError
export StreamReader, StreamWriter, Tensor, TensorArray, export_handle, import_handle

include("library.jl")
include("lib.jl")
include("error.jl")
include("read.jl")
include("tag.jl")
include("element.jl")
include("handle.jl")
include("owner.jl")
include("options.jl")
include("progress.jl")
include("buffer.jl")
include("list.jl")
include("fields.jl")
include("layout.jl")
include("quantization.jl")
include("sections.jl")
include("descriptor.jl")
include("builder.jl")
include("tensor.jl")
include("convert.jl")
include("array.jl")
include("construct.jl")
include("dlpack.jl")
include("part.jl")
include("item.jl")
include("kv.jl")
include("file.jl")
include("file_writer.jl")
include("stream.jl")

function __init__()
    load_library()
    open_graveyard()
    return nothing
end

end
