package main

import hurray "github.com/hurray-format/hurray-go"

func descriptorOut(d *hurray.Descriptor) answer {
	major, minor := d.FormatVersion()
	out := answer{
		"version":        []uint32{major, minor},
		"dtype":          tag(d.ElementType()),
		"shape":          wides(d.Shape()),
		"byte_offset":    wide(d.ByteOffset()),
		"encoded_length": d.EncodedLength(),
		"layout":         layoutOut(d.Layout()),
		"buffers":        as(d.Buffers(), bufferOut),
	}
	if count, known := d.ElementCount(); known {
		out["element_count"] = wide(count)
	}
	if scheme := d.Quantization(); scheme != nil {
		out["quantization"] = schemeOut(scheme)
	}
	if shard := d.Shard(); shard != nil {
		out["shard"] = answer{"parent_shape": wides(shard.ParentShape), "offset": wides(shard.Offset)}
	}
	if statistics := d.Statistics(); statistics != nil {
		out["statistics"] = statisticsOut(statistics)
	}
	if kind := d.ExtensionType(); kind != nil {
		out["extension_type"] = answer{
			"bit_width": kind.BitWidth, "packing_factor": kind.PackingFactor, "is_float": kind.IsFloat,
			"is_signed": kind.IsSigned, "sign_bits": kind.SignBits, "exponent_bits": kind.ExponentBits,
			"mantissa_bits": kind.MantissaBits, "exponent_bias": kind.ExponentBias, "has_nan": kind.HasNaN,
			"has_inf": kind.HasInf,
		}
	}
	if role := d.MemberRole(); role != nil {
		out["member_role"] = tag(*role)
	}
	return out
}

func bufferOut(entry hurray.BufferEntry) answer {
	role := tag(entry.Role)
	if entry.Role == hurray.RoleUnknown {
		role = "unknown"
	}
	return answer{
		"byte_size": wide(entry.ByteSize), "alignment": entry.Alignment, "device": tag(entry.Device),
		"sync_mode": tag(entry.SyncMode), "memory_class": tag(entry.MemoryClass), "role": role,
		"role_level": entry.RoleLevel,
	}
}

func layoutOut(layout hurray.Layout) answer {
	out := answer{"tag": tag(layout.Tag())}
	switch layout := layout.(type) {
	case hurray.StridedLayout:
		out["strides"] = signeds(layout.Strides)
	case hurray.TiledLayout:
		out["levels"] = as(layout.Levels, func(level hurray.TileLevel) answer {
			one := answer{"tile_shape": wides(level.TileShape), "outer": tag(level.Outer), "inner": tag(level.Inner)}
			if level.OuterStrides != nil {
				one["outer_strides"] = signeds(level.OuterStrides)
			}
			if level.InnerStrides != nil {
				one["inner_strides"] = signeds(level.InnerStrides)
			}
			return one
		})
	case hurray.MortonLayout:
		out["bits"] = numbers(layout.Bits)
	case hurray.COOLayout:
		out["nnz"], out["is_sorted"] = wide(layout.NNZ), layout.IsSorted
	case hurray.CSRLayout:
		out["nnz"] = wide(layout.NNZ)
	case hurray.CSCLayout:
		out["nnz"] = wide(layout.NNZ)
	case hurray.CSFLayout:
		out["nnz"], out["mode_order"] = wide(layout.NNZ), numbers(layout.ModeOrder)
	case hurray.BlockPagedLayout:
		out["page_size"], out["num_pages"] = layout.PageSize, wide(layout.NumPages)
		out["paged_axis"], out["num_seqs"] = layout.PagedAxis, layout.NumSeqs
		out["kv_role"], out["block_table_index_type"] = tag(layout.KVRole), indexTypes[layout.BlockTableIndexType]
		if layout.LayerIndex != nil {
			out["layer_index"] = *layout.LayerIndex
		}
	case hurray.CompositeLayout:
		out["rule"], out["combine_op"] = tag(layout.Rule), tag(layout.CombineOp)
		out["member_count"] = layout.MemberCount
	case hurray.HilbertLayout:
		out["order"], out["rank"] = layout.Order, layout.Rank
	case hurray.PrivateLayout:
		out["layout_id"], out["data"] = wide(layout.LayoutID), hex(layout.Data)
	case hurray.UnknownLayout:
		out["unknown_data"] = hex(layout.Data)
	}
	return out
}

// indexTypes are the names of a block table's index types, by their number.
var indexTypes = [...]string{"uint32", "uint64"}

func schemeOut(scheme hurray.Quantization) answer {
	out := answer{"scheme": tag(scheme.Tag())}
	index := func(key string, buffer *uint32) {
		if buffer != nil {
			out[key] = *buffer
		}
	}
	switch scheme := scheme.(type) {
	case hurray.PerTensorAffine:
		out["scale"], out["zero_point"] = double(scheme.Scale), scheme.ZeroPoint
	case hurray.PerChannelAffine:
		out["axis"], out["scale_type"] = scheme.Axis, tag(scheme.ScaleType)
		index("scale_buffer", scheme.ScaleBuffer)
		index("zero_point_buffer", scheme.ZeroPointBuffer)
	case hurray.PerBlockAffine:
		out["axis"], out["block_size"], out["scale_type"] = scheme.Axis, scheme.BlockSize, tag(scheme.ScaleType)
		index("scale_buffer", scheme.ScaleBuffer)
		index("zero_point_buffer", scheme.ZeroPointBuffer)
	case hurray.NF4:
		out["axis"], out["block_size"] = scheme.Axis, scheme.BlockSize
		index("scale_buffer", scheme.ScaleBuffer)
	case hurray.MXFP:
		out["axis"], out["block_size"] = scheme.Axis, scheme.BlockSize
		index("scale_buffer", scheme.ScaleBuffer)
	case hurray.UnknownScheme:
		out["version"], out["flags"], out["unknown_data"] = scheme.Version, scheme.Flags, hex(scheme.Data)
	}
	return out
}

func statisticsOut(statistics *hurray.Statistics) answer {
	out := answer{}
	if statistics.NNZ != nil {
		out["nnz"] = wide(*statistics.NNZ)
	}
	if statistics.SparsityRatio != nil {
		out["sparsity_ratio"] = realOf(statistics.SparsityRatio)
	}
	if found := statistics.Range; found != nil {
		out["min"], out["max"], out["abs_max"] = double(found.Min), double(found.Max), double(found.AbsMax)
	}
	if found := statistics.Moments; found != nil {
		out["mean"], out["stddev"] = double(found.Mean), double(found.StdDev)
	}
	if found := statistics.Pattern; found != nil {
		out["nm_n"], out["nm_m"] = found.N, found.M
	}
	if found := statistics.Special; found != nil {
		out["has_nan"], out["has_inf"] = found.HasNaN, found.HasInf
	}
	return out
}
