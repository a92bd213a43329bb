# How far long calls have come, and their end before their time.

"""
    Progress()

Tells of a call that was given it as `progress`, and ends it: `Hurray.bytes(p)` and `Hurray.cancel(p)`. Calls of the
library do not let other tasks of their thread run, so the call is one thread's and the question another's:

    p = Hurray.Progress()
    task = Threads.@spawn Hurray.dequantize(tensor; progress = p)
    while !istaskdone(task)
        println(Hurray.bytes(p))
        sleep(0.1)
    end

Given to what opens, a file or a [`FileWriter`](@ref Hurray.FileWriter), it counts for all of its calls until that is
closed. Any thread may ask and cancel.
"""
mutable struct Progress
    lock::ReentrantLock
    running::Vector{Options}  # of calls and of what is open, the latest last
    cancelled::Bool
    last::NamedTuple{(:done, :total),Tuple{Int,Int}}
    Progress() = new(ReentrantLock(), Options[], false, (done = 0, total = 0))
end

function bytes(options::Options)
    done, total = Ref{UInt64}(0), Ref{UInt64}(0)
    check(hurray_options_progress(options, done, total))
    return (done = Int(done[]), total = Int(total[]))
end

"""
    bytes(p::Progress) -> (done, total)

Bytes that are done, and how many there are to do, as far as is known: of the call that began last. When it is over, how
far it came.
"""
bytes(p::Progress) = lock(() -> isempty(p.running) ? p.last : bytes(last(p.running)), p.lock)

"""
    cancel(p::Progress)

Ends the calls that were given `p`, soon, and those that will be, with a
[`CancelledError`](@ref Hurray.CancelledError). Nothing of a cancelled conversion is left; a file that was being written
is not, and an old one stays.
"""
function cancel(p::Progress)
    lock(p.lock) do
        p.cancelled = true
        foreach(options -> check(hurray_options_cancel(options)), p.running)
    end
    return nothing
end

# Options come under the eyes of a progress, if there is one, and leave it when they end.
follow(::Nothing, ::Options) = nothing
function follow(p::Progress, options::Options)
    lock(p.lock) do
        push!(p.running, options)
        p.cancelled && check(hurray_options_cancel(options))
    end
    return nothing
end

leave(::Nothing, options::Options) = close(options)
function leave(p::Progress, options::Options)
    lock(p.lock) do
        isopen(options) || return nothing
        last(p.running) === options && (p.last = bytes(options))
        filter!(one -> one !== options, p.running)
        close(options)
    end
    return nothing
end

# Runs a call with options, which end with it.
function with_options(call, progress::Union{Nothing,Progress}, settings::Pair...)
    options = Options(settings...)
    follow(progress, options)
    try
        return call(options)
    finally
        leave(progress, options)
    end
end

# What stays open with the options it was opened with, so that a progress can see its calls.
const Followed = Union{Nothing,Tuple{Progress,Options}}

# Opens something with options; without a progress they end at once.
function opened_with(call, progress::Union{Nothing,Progress}, options::Options)
    follow(progress, options)
    try
        opened = call()
        progress === nothing || return opened, (progress, options)
        close(options)
        return opened, nothing
    catch
        leave(progress, options)
        rethrow()
    end
end

unfollow(followed::Followed) = followed === nothing ? nothing : leave(followed...)
