import { TextParam } from '../../core/params/params.decorator.js';

/** PUT /projects/:id/transfer; `namespace` is an id or a full path. */
export class TransferProjectDto {
  @TextParam({ required: true })
  namespace: string;
}
