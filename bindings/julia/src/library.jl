# Finding the library, and its version before anything else of it is called.

# Every function of hurray.h with the place for its address.
const DOORS = Pair{Symbol,Base.RefValue{Ptr{Cvoid}}}[]

# Declares one function of hurray.h: `@door name(argument::Type, ...)::Result`. Until the library was loaded, and its
# version found right, the address is NULL and nothing can call it: the package does not load without.
macro door(signature)
    call, result = signature.args
    name = call.args[1]
    names = [argument.args[1] for argument in call.args[2:end]]
    types = [argument.args[2] for argument in call.args[2:end]]
    address = Symbol(:ADDRESS_OF_, name)
    return esc(quote
        const $address = Ref{Ptr{Cvoid}}(C_NULL)
        push!(DOORS, $(QuoteNode(name)) => $address)
        @inline $name($(names...)) = ccall($address[], $result, ($(types...),), $(names...))
    end)
end

const LIBRARY_PATH = Ref("")

"""
    library_path() -> String

The file that the library was loaded from.
"""
library_path() = LIBRARY_PATH[]

# Where to look: what the user says, the package's own folder, the system's way.
function library_candidates()
    name = "libhurray.so.$HURRAY_C_ABI_VERSION"
    told = get(ENV, "HURRAY_LIBRARY", "")
    isempty(told) || return [told]
    return [joinpath(dirname(@__DIR__), "lib", name), name]
end

function load_library()
    candidates = library_candidates()
    library = C_NULL
    for path in candidates
        # A file that is there and cannot be loaded is told with the system's own words.
        library = isfile(path) ? Libdl.dlopen(path) : something(Libdl.dlopen_e(path), C_NULL)
        library == C_NULL || break
    end
    library == C_NULL &&
        error("libhurray was not found as ", join(candidates, " or "), "; HURRAY_LIBRARY can name the file")
    LIBRARY_PATH[] = Libdl.dlpath(library)
    version = Libdl.dlsym_e(library, :hurray_c_abi_version)
    version == C_NULL && error(library_path(), " is no Hurray library")
    found = ccall(version, UInt32, ())
    found == HURRAY_C_ABI_VERSION || throw(UnsupportedError(
        HURRAY_ERR_VERSION_MISMATCH,
        "$(library_path()) has C ABI version $found, and this package is made for version $HURRAY_C_ABI_VERSION",
    ))
    for (name, address) in DOORS
        address[] = Libdl.dlsym_e(library, name)
        address[] == C_NULL && error(library_path(), " lacks ", name, ": it is older than this package")
    end
    return nothing
end

"""
    c_abi_version() -> Int

The C ABI version of the loaded library, which is that of this package.
"""
c_abi_version() = Int(hurray_c_abi_version())

"""
    library_version() -> String

The library's own version, for people.
"""
library_version() = unsafe_string(hurray_version_string())

"""
    live_handles() -> Int

How many handles the library has made that are not destroyed yet; for finding leaks. Exact while no other call runs.
"""
function live_handles()
    out = Ref{UInt64}(0)
    check(hurray_live_handles(out))
    return Int(out[])
end
