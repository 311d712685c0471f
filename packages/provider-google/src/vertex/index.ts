export { type GoogleVertexOptions, googleVertex } from './vertex.ts';
