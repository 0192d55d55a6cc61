import type { VNode } from 'preact';
import { countText } from '../../../core/ui/amounts.js';
import { Card, DescriptionList, type Fact } from '../../../core/ui/components/content.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';
import { flattenPayload } from '../../parsing/payload-details.js';
import { prettyValue, RawText } from '../raw-text.js';

const MOST_FIELDS = 100;
const LONGEST_NAME = 48;
const LONGEST_VALUE = 500;

/** Payload of the alert: its fields one by one, and the raw text. */
export function PayloadCard({ payload }: { payload: JsonObject }): VNode {
  const fields = Object.entries(flattenPayload(payload));
  const hidden = fields.length - MOST_FIELDS;
  return (
    <Card title="Payload">
      {fields.length > 0 && <DescriptionList items={fields.slice(0, MOST_FIELDS).map(factOf)} />}
      {hidden > 0 && <p class="text-muted-foreground">{`And ${countText(hidden)} more.`}</p>}
      <details>
        <summary class="w-fit">What the tool sent first</summary>
        <div class="mt-2 grid grid-cols-1 gap-2">
          <RawText label="Payload" text={prettyValue(payload)} />
        </div>
      </details>
    </Card>
  );
}

function factOf([name, value]: [string, unknown]): Fact {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    label: cut(name, LONGEST_NAME),
    value: <span class="wrap-anywhere">{cut(text, LONGEST_VALUE)}</span>,
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
