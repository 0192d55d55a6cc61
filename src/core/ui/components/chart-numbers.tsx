import type { VNode } from 'preact';
import type { ChartBar, ChartSeries } from './bar-chart.js';
import { Cell, Table } from './table.js';

interface ChartNumbersProps {
  title: string;
  unit: string;
  series: ChartSeries[];
  bars: ChartBar[];
}

/** The numbers of a chart, latest first: the bars that have a height, the series that are there. */
export function ChartNumbers({ title, unit, series, bars }: ChartNumbersProps): VNode {
  const rows = bars.filter((bar) => sumOf(bar) > 0).toReversed();
  if (rows.length === 0) return <p class="text-muted-foreground mt-2">No data</p>;
  const used = series.flatMap(({ label }, index) =>
    rows.some(({ values }) => (values[index] ?? 0) > 0) ? [{ label, index }] : [],
  );
  const heads = [...used.map(({ label }) => label), 'Total'];
  const columns = [{ label: unit }, ...heads.map((label) => ({ label, align: 'end' as const }))];
  return (
    <div class="mt-2">
      <Table caption={title} columns={columns}>
        {rows.map((bar) => (
          <tr key={bar.label}>
            <Cell>{bar.label}</Cell>
            {used.map(({ label, index }) => (
              <Cell key={label} align="end">
                {bar.values[index]}
              </Cell>
            ))}
            <Cell align="end">{sumOf(bar)}</Cell>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** The height of a bar. */
export function sumOf({ values }: ChartBar): number {
  return values.reduce((sum, value) => sum + value, 0);
}
