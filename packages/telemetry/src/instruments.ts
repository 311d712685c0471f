import type { Histogram, Meter } from '@opentelemetry/api';
import { histograms } from './conventions.ts';

/** Instruments by the keys of {@link histograms}. */
export type Instruments = Readonly<Record<keyof typeof histograms, Histogram>>;

const known = new WeakMap<Meter, Instruments>();

/** Cached instruments of a meter. */
export function instrumentsOf(meter: Meter): Instruments {
  const instruments = known.get(meter) ?? {
    tokenUsage: histogram(meter, 'tokenUsage'),
    operationDuration: histogram(meter, 'operationDuration'),
    timeToFirstChunk: histogram(meter, 'timeToFirstChunk'),
    toolDuration: histogram(meter, 'toolDuration'),
    agentDuration: histogram(meter, 'agentDuration'),
  };
  known.set(meter, instruments);
  return instruments;
}

function histogram(meter: Meter, key: keyof typeof histograms): Histogram {
  const [name, unit, description, explicitBucketBoundaries] = histograms[key];
  return meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
}
