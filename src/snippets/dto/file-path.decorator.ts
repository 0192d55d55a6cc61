import type { ParamOptions } from '../../core/params/params.decorator.js';
import { TreePathParam } from '../../git/tree-path.decorator.js';

const MAX_LENGTH = 255;

/** Path of a file in the snippet's repository; refused is all that could leave a work tree. */
export function FilePathParam(options: ParamOptions = {}): PropertyDecorator {
  return TreePathParam({ ...options, maxLength: MAX_LENGTH });
}
