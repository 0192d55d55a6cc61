import { TextParam } from '../../core/params/params.decorator.js';

/** PUT /projects/:id/transfer; `namespace` is an id or a full path. */
export class TransferProjectDto {
  /** ID or full path of the new namespace. */
  @TextParam({ required: true })
  namespace: string;
}
