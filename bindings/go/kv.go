package hurray

import (
	"fmt"

	"github.com/hurray-format/hurray-go/internal/capi"
)

// KVValue is a value of a file's metadata: a bool, int64, uint64, float64, string or []byte, or a slice of one of them
// ([]bool, []int64, []uint64, []float64, []string, [][]byte). Floats are kept bit for bit.
type KVValue any

// kvValue reads the value of the i-th pair.
func kvValue(reader uintptr, i uint64) (KVValue, error) {
	kind, isArray, count, failure := capi.KVType(reader, i)
	if failure != nil {
		return nil, failed(failure)
	}
	switch kind {
	case capi.KVInt64:
		values := make([]int64, count)
		failure = capi.KVReadInt64(reader, i, values)
		return scalarOr(values, isArray, failure)
	case capi.KVUint64:
		values := make([]uint64, count)
		failure = capi.KVReadUint64(reader, i, values)
		return scalarOr(values, isArray, failure)
	case capi.KVFloat64:
		values := make([]float64, count)
		failure = capi.KVReadFloat64(reader, i, values)
		return scalarOr(values, isArray, failure)
	case capi.KVBool:
		numbers := make([]uint64, count)
		failure = capi.KVReadUint64(reader, i, numbers)
		values := make([]bool, count)
		for k, number := range numbers {
			values[k] = number != 0
		}
		return scalarOr(values, isArray, failure)
	case capi.KVString:
		pieces, failure := capi.KVReadPacked(reader, i)
		return scalarOr(texts(pieces), isArray, failure)
	default:
		pieces, failure := capi.KVReadPacked(reader, i)
		return scalarOr(pieces, isArray, failure)
	}
}

func scalarOr[T any](values []T, isArray bool, failure *capi.Failure) (KVValue, error) {
	if failure != nil {
		return nil, failed(failure)
	}
	if isArray || len(values) == 0 {
		return values, nil
	}
	return values[0], nil
}

func texts(pieces [][]byte) []string {
	made := make([]string, len(pieces))
	for k, piece := range pieces {
		made[k] = string(piece)
	}
	return made
}

// setKV sets a key to a value.
func setKV(writer uintptr, key string, value KVValue) *capi.Failure {
	switch value := value.(type) {
	case bool:
		return capi.KVSetUint64(writer, key, capi.KVBool, false, truths([]bool{value}))
	case []bool:
		return capi.KVSetUint64(writer, key, capi.KVBool, true, truths(value))
	case int:
		return capi.KVSetInt64(writer, key, capi.KVInt64, false, []int64{int64(value)})
	case int64:
		return capi.KVSetInt64(writer, key, capi.KVInt64, false, []int64{value})
	case []int64:
		return capi.KVSetInt64(writer, key, capi.KVInt64, true, value)
	case uint64:
		return capi.KVSetUint64(writer, key, capi.KVUint64, false, []uint64{value})
	case []uint64:
		return capi.KVSetUint64(writer, key, capi.KVUint64, true, value)
	case float64:
		return capi.KVSetFloat64(writer, key, capi.KVFloat64, false, []float64{value})
	case []float64:
		return capi.KVSetFloat64(writer, key, capi.KVFloat64, true, value)
	case string:
		return setPieces(writer, key, capi.KVString, false, [][]byte{[]byte(value)})
	case []string:
		pieces := make([][]byte, len(value))
		for k, text := range value {
			pieces[k] = []byte(text)
		}
		return setPieces(writer, key, capi.KVString, true, pieces)
	case []byte:
		return setPieces(writer, key, capi.KVBytes, false, [][]byte{value})
	case [][]byte:
		return setPieces(writer, key, capi.KVBytes, true, value)
	default:
		return &capi.Failure{
			Status: int32(ErrInvalidType), Offset: NoOffset,
			Text: fmt.Sprintf("a value of Go type %T is no metadata", value),
		}
	}
}

func truths(values []bool) []uint64 {
	numbers := make([]uint64, len(values))
	for k, value := range values {
		if value {
			numbers[k] = 1
		}
	}
	return numbers
}

func setPieces(writer uintptr, key string, kind uint8, isArray bool, pieces [][]byte) *capi.Failure {
	var bytes []byte
	ends := make([]uint64, len(pieces))
	for k, piece := range pieces {
		bytes = append(bytes, piece...)
		ends[k] = uint64(len(bytes))
	}
	return capi.KVSetPacked(writer, key, kind, isArray, bytes, ends)
}
