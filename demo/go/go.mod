module demo

go 1.24

require github.com/hurray-format/hurray-go v0.0.0

replace github.com/hurray-format/hurray-go => ../../bindings/go
