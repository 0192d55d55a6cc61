import { Fragment, type VNode } from 'preact';
import { type Schema, componentName } from '../openapi-document.js';

/** A row: a parameter of an operation or a property of an object. */
export interface NamedValue {
  name: string;
  schema: Schema;
  description: string;
  /** Exception from the default: a required parameter or an optional property. */
  note?: 'required' | 'optional' | undefined;
  /** Location of a parameter: path, query, header or body. */
  location?: string;
  example?: unknown;
}

interface ValueTableProps {
  caption: string;
  values: NamedValue[];
}

/** Values by name, each with its type, meaning and allowed values. */
export function ValueTable({ caption, values }: ValueTableProps): VNode {
  return (
    <table class="values">
      <caption>{caption}</caption>
      <tbody>
        {values.map((value) => (
          <ValueRow key={`${value.location} ${value.name}`} value={value} />
        ))}
      </tbody>
    </table>
  );
}

function ValueRow({ value }: { value: NamedValue }): VNode {
  const { name, schema, description, note, location } = value;
  return (
    <tr data-in={location} data-name={location && name}>
      <th scope="row">
        <Name name={name} />
      </th>
      <td>
        <small>
          <SchemaType schema={schema} />
          {location !== undefined && ` in ${location}`}
          {note !== undefined && <b>{` ${note}`}</b>}
        </small>
        <div>
          <Phrase text={description} />
        </div>
        <Allowed schema={schema} />
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
  }));
}

/** Address of the section about a schema on the page. */
export function schemaAnchor(name: string): string {
  return `object-${name}`;
}

/** Type of a value in a few words, with a link to its object. */
export function SchemaType({ schema }: { schema: Schema }): VNode {
  if (schema.$ref !== undefined) {
    const name = componentName({ $ref: schema.$ref });
    return <a href={`#${schemaAnchor(name)}`}>{name}</a>;
  }
  if (schema.anyOf !== undefined) return <Alternatives schemas={schema.anyOf} />;
  const types = [schema.type ?? 'anything'].flat();
  const isNullable = types.length > 1 && types.includes('null');
  const type = types.find((name) => name !== 'null') ?? 'null';
  return (
    <>
      <OneType schema={schema} type={type} />
      {isNullable && ' or null'}
    </>
  );
}

function OneType({ schema, type }: { schema: Schema; type: string }): VNode {
  if (type === 'array' && schema.items !== undefined) {
    return (
      <>
        list of <SchemaType schema={schema.items} />
      </>
    );
  }
  if (type === 'object' && schema.additionalProperties !== undefined) {
    return (
      <>
        map of <SchemaType schema={schema.additionalProperties} />
      </>
    );
  }
  return <>{schema.format === undefined ? type : schema.format.replace('-', ' and ')}</>;
}

function Alternatives({ schemas }: { schemas: Schema[] }): VNode {
  return (
    <>
      {schemas.map((schema, at) => (
        <Fragment key={at}>
          {at > 0 && ' or '}
          <SchemaType schema={schema} />
        </Fragment>
      ))}
    </>
  );
}

/** Which values are allowed, where not all of a type are. */
function Allowed({ schema }: { schema: Schema }): VNode {
  const values = (schema.items ?? schema).enum?.filter((value) => value !== null);
  const bounds = boundsOf(schema);
  return (
    <>
      {values !== undefined && <OneOf values={values.map(String)} />}
      {bounds !== '' && <div>{bounds}</div>}
    </>
  );
}

function OneOf({ values }: { values: string[] }): VNode {
  return (
    <div data-values={values.join(' ')}>
      {values.length > 1 ? 'One of ' : 'Always '}
      {values.map((value, at) => (
        <Fragment key={value}>
          {at > 0 && ', '}
          <code>{value}</code>
        </Fragment>
      ))}
    </div>
  );
}

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const bounds = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && 'not empty',
    // Enums need no length limit.
    maxLength !== undefined && schema.enum === undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} entries`,
  ].filter((bound) => bound !== false);
  const text = bounds.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text of a doc comment: paragraphs between blank lines, code between backticks. */
export function Prose({ text }: { text: string }): VNode {
  const paragraphs = text.split('\n\n').filter((paragraph) => paragraph !== '');
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <Phrase text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** One line of text with code between backticks. */
export function Phrase({ text }: { text: string }): VNode {
  const parts = text.split('`');
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
