import { BooleanParam, TextParam } from '../../../core/params/params.decorator.js';

/** An application to be registered for the whole instance. */
export class CreateApplicationDto {
  /** Shown to people whom it asks for consent. */
  @TextParam({ required: true })
  name: string;

  /** Where people come back to; several are separated by white space. */
  @TextParam({ required: true })
  redirect_uri: string;

  /** What it may ask for, separated by spaces. */
  @TextParam({ required: true })
  scopes: string;

  /** Whether it can keep a secret; true unless given. */
  @BooleanParam()
  confidential?: boolean | null;
}
