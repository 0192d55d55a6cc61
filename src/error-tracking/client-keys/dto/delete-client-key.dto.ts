import { declare } from '../../../core/params/params.decorator.js';
import { toKeyId } from '../key-id.js';

/** DELETE of a client key that the path does not name. */
export class DeleteClientKeyDto {
  /** Id of the key. */
  @declare({ kind: 'integer', required: true }, toKeyId, () => null)
  key_id: number;
}
