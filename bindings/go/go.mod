module github.com/hurray-format/hurray-go

go 1.24
