import 'reflect-metadata';

/** What a parameter's decorator was told: what the API description says about it. */
export interface ParamDeclaration {
  kind: 'integer' | 'text' | 'boolean' | 'date' | 'datetime' | 'list' | 'hashes' | 'hash';
  required?: boolean;
  description?: string;
  values?: readonly (number | string)[];
  /** Range of an integer, or of the values of a hash. */
  min?: number;
  max?: number;
  allowEmpty?: boolean;
  maxLength?: number;
  format?: 'uri';
  /** Type of a list's items or a hash's values. */
  of?: 'text' | 'integer';
  commaSeparated?: boolean;
  maxItems?: number;
  /** Class of the hashes in a list of hashes. */
  type?: () => new () => object;
}

const PARAMS_KEY = 'guildhall:params';

type Declarations = Readonly<Record<string, ParamDeclaration>>;

/** Remembers a parameter's declaration with its class; changes nothing at run time. */
export function recordParam(declaration: ParamDeclaration): PropertyDecorator {
  return (prototype, property) => {
    const known = Reflect.getMetadata(PARAMS_KEY, prototype) as Declarations | undefined;
    const all = { ...known, [String(property)]: declaration };
    Reflect.defineMetadata(PARAMS_KEY, all, prototype);
  };
}

/** Declarations of a DTO class by name, inherited ones first; empty for any other class. */
export function declaredParams(type: new () => object): Declarations {
  const known = Reflect.getMetadata(PARAMS_KEY, type.prototype as object);
  return (known as Declarations | undefined) ?? {};
}
