export { type VertexOptions, anthropicVertex } from './vertex.ts';
