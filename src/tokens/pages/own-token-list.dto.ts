import { TextParam } from '../../core/params/params.decorator.js';
import { TOKEN_STATES } from '../token.dto.js';

/** Parameters of the page of one's own tokens. */
export class OwnTokenListDto {
  /** Only active tokens, or only inactive ones. */
  @TextParam({ values: TOKEN_STATES }) state?: (typeof TOKEN_STATES)[number] | null;
}
