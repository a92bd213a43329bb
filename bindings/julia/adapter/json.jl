# JSON, as much of it as the protocol needs: no package for it comes with Julia.
module Json

mutable struct Reader
    text::String
    at::Int
end

parse(text::AbstractString) = value(Reader(String(text), 1))

peek(r::Reader) = r.at <= ncodeunits(r.text) ? Char(codeunit(r.text, r.at)) : error("JSON ends too early")
function skip(r::Reader)
    while peek(r) in (' ', '\t', '\n', '\r')
        r.at += 1
    end
    return peek(r)
end
function expect(r::Reader, word::String)
    stop = r.at + ncodeunits(word) - 1
    stop <= ncodeunits(r.text) && SubString(r.text, r.at, stop) == word || error("JSON: not $word at $(r.at)")
    r.at += ncodeunits(word)
    return nothing
end

function value(r::Reader)
    c = skip(r)
    c == '{' && return object(r)
    c == '[' && return list(r)
    c == '"' && return string(r)
    c == 't' && return (expect(r, "true"); true)
    c == 'f' && return (expect(r, "false"); false)
    c == 'n' && return (expect(r, "null"); nothing)
    return number(r)
end

function object(r::Reader)
    found = Dict{String,Any}()
    expect(r, "{")
    skip(r) == '}' && return (r.at += 1; found)
    while true
        skip(r)
        key = string(r)
        skip(r)
        expect(r, ":")
        found[key] = value(r)
        skip(r) == ',' || break
        r.at += 1
    end
    expect(r, "}")
    return found
end

function list(r::Reader)
    found = Any[]
    expect(r, "[")
    skip(r) == ']' && return (r.at += 1; found)
    while true
        push!(found, value(r))
        skip(r) == ',' || break
        r.at += 1
    end
    expect(r, "]")
    return found
end

function number(r::Reader)
    start = r.at
    while r.at <= ncodeunits(r.text) && peek(r) in "+-.0123456789eE"
        r.at += 1
    end
    word = SubString(r.text, start, r.at - 1)
    whole = tryparse(Int, word)
    return whole === nothing ? Base.parse(Float64, word) : whole
end

const ESCAPES =
    Dict('"' => '"', '\\' => '\\', '/' => '/', 'b' => '\b', 'f' => '\f', 'n' => '\n', 'r' => '\r', 't' => '\t')

function unit(r::Reader)
    code = Base.parse(UInt32, SubString(r.text, r.at, r.at + 3); base = 16)
    r.at += 4
    return code
end

function string(r::Reader)
    expect(r, "\"")
    out = IOBuffer()
    while (c = peek(r)) != '"'
        r.at += 1
        if c != '\\'
            write(out, UInt8(c))
            continue
        end
        escape = peek(r)
        r.at += 1
        if escape == 'u'
            code = unit(r)
            if 0xd800 <= code < 0xdc00
                expect(r, "\\u")
                code = 0x10000 + ((code - 0xd800) << 10) + (unit(r) - 0xdc00)
            end
            print(out, Char(code))
        else
            print(out, ESCAPES[escape])
        end
    end
    r.at += 1
    return String(take!(out))
end

# ---- writing

write_value(io::IO, ::Nothing) = print(io, "null")
write_value(io::IO, x::Union{Bool,Integer}) = print(io, x)
write_value(io::IO, x::AbstractFloat) = print(io, Float64(x))
function write_value(io::IO, text::AbstractString)
    print(io, '"')
    for c in text
        if c == '"' || c == '\\'
            print(io, '\\', c)
        elseif c < ' '
            print(io, "\\u", Base.string(UInt32(c); base = 16, pad = 4))
        else
            print(io, c)
        end
    end
    print(io, '"')
end
function write_value(io::IO, values::Union{AbstractVector,Tuple})
    print(io, '[')
    for (k, one) in enumerate(values)
        k == 1 || print(io, ',')
        write_value(io, one)
    end
    print(io, ']')
end
function write_value(io::IO, pairs::AbstractDict)
    print(io, '{')
    for (k, (key, one)) in enumerate(pairs)
        k == 1 || print(io, ',')
        write_value(io, key)
        print(io, ':')
        write_value(io, one)
    end
    print(io, '}')
end

text(x) = sprint(write_value, x)

end
