import { Injectable } from '@nestjs/common';
import type { GitExchange } from './git-exchange.js';
import { ReceivePack } from './receive-pack.service.js';
import { UploadPack } from './upload-pack.service.js';

/** The two services by the name that clients use. */
@Injectable()
export class GitServices {
  constructor(
    private readonly uploadPack: UploadPack,
    private readonly receivePack: ReceivePack,
  ) {}

  /** `advertise` answers info/refs, `serve` a service's POST. */
  run(exchange: GitExchange, step: 'advertise' | 'serve'): Promise<void> {
    const isPush = exchange.service === 'git-receive-pack';
    return isPush ? this.receivePack[step](exchange) : this.uploadPack[step](exchange);
  }
}
