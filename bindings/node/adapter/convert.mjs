// Conversions.
import { bytesOf, fromTag } from './form.mjs';
import * as make from './make.mjs';
import * as show from './show.mjs';

const lengths = ({ seq_lengths: given }) => given?.map(BigInt) ?? null;

/** A box in ranges of the package: a stop before the first component is none. */
function ranges({ starts, stops, steps }) {
  return starts.map((start, k) => [
    Number(start),
    Number(stops[k]) < 0 ? null : Number(stops[k]),
    steps ? Number(steps[k]) : 1,
  ]);
}

function converted(tensor, request) {
  switch (request.how) {
    case 'row_major':
      return tensor.toLayoutSync();
    case 'layout':
      return tensor.toLayoutSync(make.descriptor(request.target));
    case 'dequantize':
      return tensor.dequantizeSync(fromTag(request.dtype));
    case 'quantize':
      return tensor.quantizeSync(
        make.descriptor(request.target),
        request.parameters?.map((hex) => Uint8Array.from(bytesOf(hex))),
      );
    case 'pack':
      return tensor.packSync(fromTag(request.dtype));
    case 'unpack':
      return tensor.unpackSync();
    case 'slice':
      return tensor.slice(ranges(request)).toLayoutSync(null, { copy: true });
    case 'gather':
      return tensor.gatherSync(lengths(request));
    case 'assemble':
      return tensor.assembleSync();
    case 'scatter': {
      const paged = make.item(request.paged);
      tensor.scatterSync(paged, lengths(request));
      return paged;
    }
    default:
      throw new TypeError(`no conversion is named ${request.how}`);
  }
}

export async function convert(request) {
  const item = make.item(request.item);
  switch (request.how) {
    case 'offset':
      return { offset: String(item.elementOffset(request.index.map(Number))) };
    case 'statistics':
      return { statistics: show.statistics(item.withStatisticsSync().statistics) };
    case 'check':
      await item.checkData();
      return {};
    default:
      return { item: show.item(converted(item, request)) };
  }
}
