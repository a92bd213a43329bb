# The adapter of the conformance suite for Julia: one JSON request a line in, one answer a line out.
include("json.jl")

# A library that the package refuses is an answer too.
refused = try
    @eval using Hurray
    nothing
catch failure
    failure isa InitError ? failure.error : failure
end

if refused === nothing
    include("forms.jl")
    include("requests.jl")
    include("convert.jl")
    include("structs.jl")
else
    answer(_) = Dict{String,Any}("status" => refused.status, "message" => refused.message)
    settle() = nothing
end

function respond(request)
    try
        return answer(request)
    catch failure
        if refused === nothing && failure isa HurrayError
            return Dict{String,Any}("status" => failure.status, "message" => failure.message)
        end
        return Dict{String,Any}("fault" => sprint(showerror, failure))
    end
end

function serve()
    for line in eachline(stdin)
        request = Json.parse(line)
        println(stdout, Json.text(Base.invokelatest(respond, request)))
        flush(stdout)
        request["op"] == "quit" && return nothing
    end
end

serve()
