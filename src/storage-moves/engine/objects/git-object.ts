export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  type: ObjectType;
  data: Buffer;
}

/** An object id found inside another object, with the type it must have. */
export interface ObjectLink {
  oid: string;
  type: ObjectType;
}

/** The in-process check cannot judge this repository; git has to. */
export class UnusualRepositoryError extends Error {}

/** Whether git names a type of objects like this. */
export function isObjectType(text: string): text is ObjectType {
  return text === 'commit' || text === 'tree' || text === 'blob' || text === 'tag';
}
