import { Fragment, type VNode } from 'preact';
import type { Schema } from '../openapi-document.js';
import { Phrase } from './prose.js';
import { Allowed, SchemaType } from './schema-type.js';

/** A row: a parameter of an operation or a property of an object. */
export interface NamedValue {
  name: string;
  schema: Schema;
  description: string;
  /** Exception from the default: a required parameter or an optional property. */
  note?: 'required' | 'optional';
  /** Where a parameter is given: path, query, header or body. */
  place?: string;
  example?: unknown;
}

interface ValueTableProps {
  caption: string;
  values: NamedValue[];
}

/** Values by name; on narrow screens each row becomes a block of its own. */
export function ValueTable({ caption, values }: ValueTableProps): VNode {
  const hasPlaces = values.some(({ place }) => place !== undefined);
  return (
    <table class="values">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          {hasPlaces && <th scope="col">In</th>}
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {values.map((value) => (
          <ValueRow key={`${value.place} ${value.name}`} value={value} hasPlaces={hasPlaces} />
        ))}
      </tbody>
    </table>
  );
}

function ValueRow({ value, hasPlaces }: { value: NamedValue; hasPlaces: boolean }): VNode {
  const { name, schema, description, note, place, example } = value;
  return (
    <tr>
      <th scope="row">
        <Name name={name} />
        {note !== undefined && <span class={`note ${note}`}>{note}</span>}
      </th>
      {hasPlaces && <td class="place">{place}</td>}
      <td class="type">
        <SchemaType schema={schema} />
      </td>
      <td>
        <Phrase text={description} />
        <Allowed schema={schema} />
        {example !== undefined && (
          <p class="example">
            Example: <code>{exampleText(example)}</code>
          </p>
        )}
      </td>
    </tr>
  );
}

/** Long names break between their words. */
function Name({ name }: { name: string }): VNode {
  return (
    <code>
      {name.split(/(?<=_)/).map((word, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </code>
  );
}

function exampleText(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** The properties of an object that is sent as rows. */
export function givenRows(schema: Schema): NamedValue[] {
  const required = schema.required ?? [];
  return rowsOf(schema, (name) => (required.includes(name) ? 'required' : undefined));
}

/** The properties of an object that is answered as rows. */
export function answeredRows(schema: Schema): NamedValue[] {
  const required = schema.required ?? [];
  return rowsOf(schema, (name) => (required.includes(name) ? undefined : 'optional'));
}

function rowsOf(
  { properties = {} }: Schema,
  noteOf: (name: string) => NamedValue['note'],
): NamedValue[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    description: schema.description ?? '',
    note: noteOf(name),
    example: schema.examples?.[0],
  }));
}
