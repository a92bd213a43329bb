package capi

// #include "glue.h"
import "C"

// Step is what a stream reader has to give.
type Step struct {
	Item   uintptr // the next item, or 0
	Window uintptr // where the next bytes belong, if there is no item
	Size   uint64
	End    bool
}

// ReaderNew makes a stream reader.
func ReaderNew(options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_reader_new(list, count, call), call)
}

// ReaderStep takes in so many bytes of the last window, or the end of the input, and gives the next item or window.
func ReaderStep(reader uintptr, arrived int, finished bool) (Step, *Failure) {
	call := begin()
	status := C.hg_reader_step(C.uintptr_t(reader), C.uint64_t(arrived), C.int(flag(finished)), call)
	handle, size := uintptr(call.handle), uint64(call.number[0])
	if failure := end(status, call); failure != nil {
		return Step{}, failure
	}
	switch status {
	case C.HURRAY_OK:
		return Step{Item: handle}, nil
	case C.HURRAY_END:
		return Step{End: true}, nil
	default:
		return Step{Window: handle, Size: size}, nil
	}
}

// ReaderStreamID is the stream id of the last item.
func ReaderStreamID(reader uintptr) (uint64, *Failure) {
	call := begin()
	return numbered(C.hg_reader_stream_id(C.uintptr_t(reader), call), call)
}

// ReaderUnread is what was read ahead: the reader's memory until the next call.
func ReaderUnread(reader uintptr) (address uintptr, size uint64, _ *Failure) {
	call := begin()
	status := C.hg_reader_unread(C.uintptr_t(reader), call)
	address, size = uintptr(call.handle), uint64(call.number[0])
	return address, size, end(status, call)
}

// ReaderReply takes the messages that are owed to the peer; the number is their length.
func ReaderReply(reader uintptr, out []byte) (uint64, *Failure) {
	call := begin()
	return sized(C.hg_reader_reply(C.uintptr_t(reader), pointerTo[C.uint8_t](out), C.size_t(len(out)), call), call)
}

// ReaderDestroy ends a reader.
func ReaderDestroy(reader uintptr) { C.hg_reader_destroy(C.uintptr_t(reader)) }

// Piece is a piece of a gather list.
type Piece struct {
	Data   uintptr
	Length uint64
}

// MaxPieces is how many pieces one step gives at most.
const MaxPieces = 64

// Pieces is room for a gather list.
type Pieces [MaxPieces]C.HgPiece

// List copies the first pieces out.
func (room *Pieces) list(count uint64, pieces []Piece) []Piece {
	pieces = pieces[:0]
	for _, piece := range room[:count] {
		pieces = append(pieces, Piece{Data: uintptr(piece.data), Length: uint64(piece.length)})
	}
	return pieces
}

// SenderNew makes a stream writer.
func SenderNew(form, streamID uint32, maxMessageSize uint64, options Options) (uintptr, *Failure) {
	call, list, count := beginWith(options)
	return handled(C.hg_sender_new(C.uint32_t(form), C.uint32_t(streamID), C.uint64_t(maxMessageSize), list, count,
		call), call)
}

// SenderPut appends an item and gives the first pieces of what is to be written.
func SenderPut(writer, item uintptr, isTensor bool, room *Pieces, pieces []Piece) ([]Piece, *Failure) {
	call := begin()
	var status C.int32_t
	if isTensor {
		status = C.hg_sender_put_tensor(C.uintptr_t(writer), C.uintptr_t(item), &room[0], MaxPieces, call)
	} else {
		status = C.hg_sender_put(C.uintptr_t(writer), C.uintptr_t(item), &room[0], MaxPieces, call)
	}
	return listed(status, call, room, pieces)
}

// SenderSent says how many bytes were written, and gives the pieces that follow.
func SenderSent(writer uintptr, sent uint64, room *Pieces, pieces []Piece) ([]Piece, *Failure) {
	call := begin()
	status := C.hg_sender_sent(C.uintptr_t(writer), C.uint64_t(sent), &room[0], MaxPieces, call)
	return listed(status, call, room, pieces)
}

func listed(status C.int32_t, call *C.HgCall, room *Pieces, pieces []Piece) ([]Piece, *Failure) {
	count, failure := numbered(status, call)
	if failure != nil {
		return pieces[:0], failure
	}
	return room.list(count, pieces), nil
}

// SenderDestroy ends a writer.
func SenderDestroy(writer uintptr) { C.hg_sender_destroy(C.uintptr_t(writer)) }
