export { explainProject } from './project.ts';
