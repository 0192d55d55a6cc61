import type { VNode } from 'preact';
import { componentName, type Schema } from '../openapi-document.js';

/** Address of the chapter about a component on the page. */
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
        <span key={at}>
          {at > 0 && ' or '}
          <SchemaType schema={schema} />
        </span>
      ))}
    </>
  );
}

/** Which values are allowed, where not all of a type are. */
export function Allowed({ schema }: { schema: Schema }): VNode {
  const values = (schema.items ?? schema).enum?.filter((value) => value !== null);
  const bounds = boundsOf(schema);
  return (
    <>
      {values !== undefined && <OneOf values={values.map(String)} />}
      {bounds !== '' && <p class="allowed">{bounds}</p>}
    </>
  );
}

function OneOf({ values }: { values: string[] }): VNode {
  return (
    <p class="allowed">
      {values.length > 1 ? 'One of ' : 'Always '}
      {values.map((value, at) => (
        <span key={value}>
          {at > 0 && ', '}
          <code>{value}</code>
        </span>
      ))}
    </p>
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
