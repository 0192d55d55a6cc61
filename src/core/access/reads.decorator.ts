import { SetMetadata } from '@nestjs/common';

export const READS_KEY = 'guildhall:reads';

/**
 * The parameters of an endpoint that reads them itself, by the rules of a protocol: for the API
 * description only.
 */
export const Reads = (dto: new () => object): MethodDecorator => SetMetadata(READS_KEY, dto);
