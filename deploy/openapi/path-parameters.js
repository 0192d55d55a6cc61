import { exampleOf } from './examples.js';

/**
 * The parameters in a route's path, in their order.
 * @param {import('./endpoint.js').Endpoint} endpoint
 */
export function pathParameters({ route, source }) {
  const integers = route.args.flatMap(({ data }, position) => {
    const isId = source.params[position]?.decorators.some((name) =>
      /^(IntegerId|ChangeOf)$/.test(name),
    );
    return isId ? [String(data)] : [];
  });
  const segments = route.path.split('/');
  return segments.flatMap((segment, position) => {
    if (!segment.startsWith('{')) return [];
    const name = segment.slice(1, -1);
    const about = pathParameter(segments[position - 1] ?? '', name, integers.includes(name));
    return [{ name, in: 'path', required: true, ...about }];
  });
}

/**
 * @param {string} collection
 * @param {string} name
 * @param {boolean} isInteger
 */
function pathParameter(collection, name, isInteger) {
  if (!isInteger && isNamedByPath(collection, name)) {
    return {
      description: `ID or full path of the ${singular(collection)}, slashes written as \`%2F\`.`,
      schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      example: collection === 'projects' ? 'tools/builders/lathe' : 'tools/builders',
    };
  }
  if (!isInteger && collection === 'users' && name === 'id') {
    return {
      description: 'ID or username of the user.',
      schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      example: 'mallory',
    };
  }
  if (name === 'event_id') {
    return {
      description:
        'ID of the event: 32 hex digits, with or without dashes. For an error also `latest` or `oldest`.',
      schema: { type: 'string' },
      example: '9ec79c33ec9942ab8353589fcb2e04dc',
    };
  }
  if (isInteger || /id$/.test(name)) {
    const what = name === 'id' ? singular(collection) : name.replace(/_id$/, '');
    return {
      description: `ID of the ${what.replaceAll('_', ' ')}.`,
      schema: { type: 'integer' },
      example: 42,
    };
  }
  return {
    description: `The ${name.replaceAll('_', ' ')}, URL-encoded.`,
    schema: { type: 'string' },
    example: exampleOf({ type: 'string' }, name),
  };
}

/**
 * @param {string} collection
 * @param {string} name
 */
function isNamedByPath(collection, name) {
  return name === 'id' && ['projects', 'groups', 'namespaces'].includes(collection);
}

/** @param {string} collection */
function singular(collection) {
  return collection.replace(/s$/, '').replaceAll('_', ' ');
}
