# Numbered options of a call or of an object that opens.

# Options of `number => value` pairs; `nothing` leaves the default.
function Options(settings::Pair...)
    options = made(hurray_options_new, Options, HurrayOptions)
    for (number, value) in settings
        value === nothing || check(hurray_options_set_u64(options, number, value))
    end
    return options
end

# The array standard's `copy`: `nothing` copies where that is needed, `false` never, `true` always.
copy_setting(copy::Union{Nothing,Bool}) = HURRAY_OPTION_COPY => (copy === nothing ? 0 : copy ? 2 : 1)
