import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { credentialDigest, generateCredential } from '../core/digest.js';
import { AccessToken, type TokenKind } from './access-token.entity.js';
import type { Scope } from '../core/access/scopes.js';

const TOKEN_PREFIX = 'svcpat-';

export interface NewToken {
  userId: number;
  name: string;
  scopes: readonly Scope[];
  kind?: TokenKind;
  expiresAt?: Date | null;
  /** Raw value chosen by the operator (first start only); made at random when absent. */
  raw?: string;
}

/** Mints bearer tokens; the raw value leaves here once and is stored nowhere. */
@Injectable()
export class TokenCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  async create(input: NewToken, actor: AuditActor): Promise<{ id: number; raw: string }> {
    const raw = input.raw ?? generateCredential(TOKEN_PREFIX);
    return this.dataSource.transaction(async (tx) => {
      const inserted = await tx.insert(AccessToken, {
        kind: input.kind ?? 'personal',
        digest: credentialDigest(raw),
        lastFour: raw.slice(-4),
        userId: input.userId,
        name: input.name,
        scopes: [...input.scopes],
        expiresAt: input.expiresAt ?? null,
      });
      const id = (inserted.identifiers[0] as { id: number }).id;
      await this.audit.record(tx, actor, {
        action: 'access_token_created',
        targetType: 'AccessToken',
        targetId: id,
        details: { user_id: input.userId, name: input.name, scopes: input.scopes },
      });
      return { id, raw };
    });
  }
}
