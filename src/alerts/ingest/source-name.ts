import { inlineMarkdown } from '../../core/inline-markdown.js';
import type { IncomingAlert, PayloadFormat } from '../parsing/incoming-alert.js';

const OWN_NAMES = { plain: 'Generic Alert Endpoint', monitoring: 'Prometheus' } as const;

/** Returns the name of an alert's source for notes, in Markdown. */
export function sourceName(
  alert: Pick<IncomingAlert, 'monitoringTool'>,
  { format, integration }: { format: PayloadFormat; integration: string },
): string {
  const tool = format === 'plain' ? alert.monitoringTool : null;
  return inlineMarkdown(tool || integration || OWN_NAMES[format]);
}
