import ts from 'typescript';
import { docOf } from './sources.js';
import { unite } from './unions.js';

/** @typedef {Record<string, any>} Schema */

const UNTYPED = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive;

/** Makes JSON schemas of what presenters return; named types become components. */
export class Schemas {
  /** @type {Record<string, Schema>} */
  components = {};
  /** @type {Map<string, ts.Symbol>} */
  #names = new Map();
  /** @type {string[]} */
  problems = [];

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.checker = checker;
  }

  /**
   * @param {ts.Type} type
   * @param {string} place names the type in complaints
   * @param {string} [path] of the route that answers it
   * @returns {Schema}
   */
  schemaOf(type, place, path) {
    if (type.flags & UNTYPED) return this.#complain(place, 'has no precise type');
    if (type.isUnion()) return this.#unionOf(type, place, path);
    const simple = this.#simple(type);
    if (simple) return simple;
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      return this.#arrayOf(type, place, path);
    }
    if (type.symbol?.name === 'Date') return { type: 'string', format: 'date-time' };
    const name = componentName(type);
    return name === null ? this.#objectOf(type, place) : this.#componentOf(type, name);
  }

  /** @param {ts.Type} type */
  #simple(type) {
    if (type.isStringLiteral()) return { type: 'string', enum: [type.value] };
    if (type.isNumberLiteral()) return { type: 'integer', enum: [type.value] };
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'integer' };
    if (type.flags & ts.TypeFlags.BooleanLiteral) {
      return { type: 'boolean', enum: [this.checker.typeToString(type) === 'true'] };
    }
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    return null;
  }

  /**
   * @param {ts.UnionType} union
   * @param {string} place
   * @param {string} [path]
   */
  #unionOf(union, place, path) {
    const absent = ts.TypeFlags.Undefined | ts.TypeFlags.Void;
    const types = union.types.filter(
      (type) => !(type.flags & absent) && this.#isAnsweredBy(path, type),
    );
    return unite(types.map((type) => this.schemaOf(type, place, path)));
  }

  /**
   * Where a handler has several paths, `@route` names those that answer a type.
   * @param {string | undefined} path
   * @param {ts.Type} type
   */
  #isAnsweredBy(path, type) {
    const route = type.symbol && docOf(type.symbol, this.checker).route;
    return route === undefined || path === undefined || path.includes(`/${route}`);
  }

  /**
   * @param {ts.Type} type
   * @param {string} place
   * @param {string} [path]
   */
  #arrayOf(type, place, path) {
    const items = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    const schemas = items.map((item) => this.schemaOf(item, `${place}[]`, path));
    return { type: 'array', items: unite(schemas) };
  }

  /**
   * @param {ts.Type} type
   * @param {string} name
   */
  #componentOf(type, name) {
    const symbol = type.aliasSymbol ?? type.symbol;
    const owner = this.#names.get(name);
    if (owner !== undefined && owner !== symbol) {
      return this.#complain(name, 'is the name of two types');
    }
    if (owner === undefined) {
      this.#names.set(name, symbol);
      // Reserved first: a type may contain itself.
      this.components[name] = {};
      const { text } = docOf(symbol, this.checker);
      this.components[name] = { ...(text && { description: text }), ...this.#objectOf(type, name) };
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /**
   * @param {ts.Type} type
   * @param {string} place
   */
  #objectOf(type, place) {
    /** @type {Record<string, Schema>} */
    const properties = {};
    /** @type {string[]} */
    const required = [];
    for (const symbol of inheritedFirst(type, this.checker.getPropertiesOfType(type))) {
      const name = symbol.name;
      const propertyType = this.checker.getTypeOfSymbol(symbol);
      if (propertyType.getCallSignatures().length > 0) continue;
      const doc = docOf(symbol, this.checker);
      const isOptional = Boolean(symbol.flags & ts.SymbolFlags.Optional);
      const schema = this.schemaOf(propertyType, `${place}.${name}`);
      properties[name] = annotate(withTime(schema, name, doc.example), doc);
      if (!isOptional) required.push(name);
    }
    const values = this.checker.getIndexInfosOfType(type)[0]?.type;
    if (values === undefined && required.length === 0 && Object.keys(properties).length === 0) {
      return this.#complain(place, 'has no precise type');
    }
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(values && { additionalProperties: this.#othersOf(values, place) }),
    };
  }

  /**
   * Properties that have no name of their own.
   * @param {ts.Type} values
   * @param {string} place
   */
  #othersOf(values, place) {
    if (values.flags & ts.TypeFlags.Never) return false;
    // Objects that others send: any JSON.
    if (values.flags & ts.TypeFlags.Unknown) return {};
    return this.schemaOf(values, `${place}.*`);
  }

  /**
   * @param {string} place
   * @param {string} problem
   * @returns {Schema}
   */
  #complain(place, problem) {
    this.problems.push(`${place} ${problem}`);
    return {};
  }
}

/**
 * The component that a named, non-generic type of ours becomes; null for one written in place.
 * @param {ts.Type} type
 */
function componentName(type) {
  const symbol = type.aliasSymbol ?? type.symbol;
  const isGeneric = (type.aliasTypeArguments?.length ?? 0) > 0;
  if (!symbol || isGeneric || symbol.name.startsWith('__')) return null;
  const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? '';
  if (file.includes('/node_modules/')) return null;
  return symbol.name.replace(/(?:Response|Json)$/, '');
}

/**
 * Puts inherited properties before own ones.
 * @param {ts.Type} type
 * @param {ts.Symbol[]} properties
 */
function inheritedFirst(type, properties) {
  const own = type.symbol?.declarations ?? [];
  /** @param {ts.Symbol} property */
  const isOwn = (property) => own.some((node) => node === property.declarations?.[0]?.parent);
  return [...properties.filter((each) => !isOwn(each)), ...properties.filter(isOwn)];
}

/**
 * Texts named `…_at` are times, unless their example is a date.
 * @param {Schema} schema
 * @param {string} name
 * @param {string | undefined} example
 */
function withTime(schema, name, example) {
  const isText = [schema.type].flat().includes('string') && !schema.enum;
  if (!isText || !/_at$/.test(name)) return schema;
  const isDate = example !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(readExample(example));
  return { ...schema, format: isDate ? 'date' : 'date-time' };
}

/**
 * Adds a property's own words; beside a reference they are allowed since OpenAPI 3.1.
 * @param {Schema} schema
 * @param {ReturnType<typeof docOf>} doc
 */
function annotate(schema, { text, example, format }) {
  const number = format === 'double' ? { type: retype(schema.type) } : null;
  return {
    ...schema,
    ...(format && { format }),
    ...number,
    ...(text && { description: text }),
    ...(example !== undefined && { examples: [readExample(example)] }),
  };
}

/** @param {unknown} type */
function retype(type) {
  return Array.isArray(type)
    ? type.map((name) => (name === 'integer' ? 'number' : name))
    : 'number';
}

/**
 * An `@example` is JSON where it can be read as such, else text.
 * @param {string} text
 */
export function readExample(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
