package main

import (
	"bytes"
	"context"
	"io"

	hurray "github.com/hurray-format/hurray-go"
)

// chunked gives at most so many bytes at once.
type chunked struct {
	source io.Reader
	most   int
}

func (c chunked) Read(out []byte) (int, error) {
	if c.most > 0 && len(out) > c.most {
		out = out[:c.most]
	}
	return c.source.Read(out)
}

func readStream(asked *request) (answer, error) {
	items := []answer{}
	err := eachItem(asked.Bytes, asked.Chunk, asked.Options, func(id uint32, item *hurray.Item) error {
		out, err := itemOut(item)
		items = append(items, answer{"stream_id": id, "item": out})
		return err
	})
	return answer{"items": items}, err
}

// eachItem reads a stream to its end.
func eachItem(input []byte, chunk int, asked map[string]uint64, visit func(uint32, *hurray.Item) error) error {
	options, err := optionsOf(asked)
	if err != nil {
		return err
	}
	reader, err := hurray.NewStreamReader(chunked{bytes.NewReader(input), chunk}, options...)
	if err != nil {
		return err
	}
	defer reader.Close()
	for item, err := range reader.All(context.Background()) {
		if err != nil {
			return err
		}
		id, err := reader.StreamID()
		if err == nil {
			err = visit(id, item)
		}
		item.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func writeStream(asked *request) (answer, error) {
	options, err := optionsOf(asked.Options)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var writer *hurray.StreamWriter
	if asked.Form == "framed" {
		writer, err = hurray.NewFramedWriter(&out, asked.StreamID, asked.MaxMessageSize, options...)
	} else {
		writer, err = hurray.NewStreamWriter(&out, options...)
	}
	if err != nil {
		return nil, err
	}
	defer writer.Close()
	for _, one := range asked.Items {
		item, err := one.make()
		if err != nil {
			return nil, err
		}
		err = writer.WriteItem(context.Background(), item)
		item.Close()
		if err != nil {
			return answer{"bytes": hex(out.Bytes())}, err
		}
	}
	return answer{"bytes": hex(out.Bytes())}, nil
}
