# Julia objects that keep a tensor's memory alive, and are let go from any thread.
#
# The last share of a tensor may go on a thread that Julia does not know, where no Julia code may run. So the release
# function is libuv's uv_async_send, and the owner is the handle of an AsyncCondition: the send wakes Julia's event
# loop, and the object is let go there. Sends on one handle coalesce, therefore each owner has a condition of its own.
# Conditions are used again: making one costs more than everything else here.

mutable struct Root
    condition::Base.AsyncCondition
    value::Any
    Root() = new()
end

const ROOTS_LOCK = ReentrantLock()
const FREE_ROOTS = Root[]
const MOST_FREE_ROOTS = 256
# Every root that is in use.
const USED_ROOTS = IdDict{Root,Nothing}()

const MOST_ENDED = 32
const LARGE_BYTES = 1 << 20

"""
    live_roots() -> Int

How many Julia objects are kept alive by tensors, here or in another language; for finding leaks. An object counts
until Julia's event loop has run after its release.
"""
live_roots() = lock(() -> length(USED_ROOTS), ROOTS_LOCK)

function new_root()
    root = Root()
    root.value = nothing
    root.condition = Base.AsyncCondition(_ -> let_go(root))
    return root
end

# A loop that makes and ends tensors and never waits would hold on to all of their arrays: the event loop gets a turn.
function let_others_go(value)
    GRAVEYARD[] == 0 || clear_graveyard()
    ended = ENDED[]
    ended == 0 && return nothing
    large = value isa Array && sizeof(value) >= LARGE_BYTES
    (large || ended >= MOST_ENDED && isempty(FREE_ROOTS)) || return nothing
    ENDED[] = 0
    yield()  # sees the sends
    yield()  # runs the tasks that wait for them
    return nothing
end

# Keeps `value` alive until the root's release function ran, or `let_go` was called.
function keep(value)
    let_others_go(value)
    return lock(ROOTS_LOCK) do
        root = isempty(FREE_ROOTS) ? new_root() : pop!(FREE_ROOTS)
        root.value = value
        USED_ROOTS[root] = nothing
        root
    end
end

function let_go(root::Root)
    surplus = lock(ROOTS_LOCK) do
        root.value = nothing
        delete!(USED_ROOTS, root)
        length(FREE_ROOTS) < MOST_FREE_ROOTS || return true
        push!(FREE_ROOTS, root)
        false
    end
    surplus && close(root.condition)
    return nothing
end

owner_pointer(root::Root) = Base.unsafe_convert(Ptr{Cvoid}, root.condition)
owner_release() = cglobal(:uv_async_send)
