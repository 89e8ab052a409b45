/** What several processes counted, as that of one service. Totals of a process that ended stay, or they would go back. */
import { AggregatorRegistry, Gauge, Registry } from 'prom-client';

/** As a registry gives them as JSON. */
export type ProcessMetrics = readonly object[];

interface MergedMetrics {
  /** A process ended, and this is what it counted last. */
  keepTotals(metrics: ProcessMetrics): void;
  /** The text for Prometheus. */
  merge(processes: readonly ProcessMetrics[], figures: readonly MergedFigure[]): Promise<string>;
}

/** Of the one who merges. */
interface MergedFigure {
  name: string;
  help: string;
  value: number;
}

export const mergedContentType = Registry.PROMETHEUS_CONTENT_TYPE;

const totalTypes = new Set(['counter', 'histogram']);
/** Without what is only so at the moment. */
export const totalsOf = (metrics: ProcessMetrics): ProcessMetrics =>
  (metrics as readonly { type: string }[]).filter(({ type }) => totalTypes.has(type));

const aggregate = (processes: readonly ProcessMetrics[]) => AggregatorRegistry.aggregate(processes as object[]);

export function openMergedMetrics(): MergedMetrics {
  // one after the other, since two processes may end at the same moment
  let ended: Promise<ProcessMetrics> = Promise.resolve([]);
  return {
    keepTotals(metrics) {
      ended = ended.then((before) => aggregate([before, totalsOf(metrics)]).getMetricsAsJSON());
    },
    async merge(processes, figures) {
      return aggregate([await ended, ...processes, await asMetrics(figures)]).metrics();
    },
  };
}

function asMetrics(figures: readonly MergedFigure[]): Promise<ProcessMetrics> {
  const registry = new Registry();
  for (const { name, help, value } of figures) new Gauge({ name, help, registers: [registry] }).set(value);
  return registry.getMetricsAsJSON();
}
