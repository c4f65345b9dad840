/** Overrides for the style sheet of Swagger UI. */
export const style = `body { margin: 0; background: #fafafa; }
.wait { margin: 4rem auto; max-width: 40rem; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; text-align: center; }
.swagger-ui .wrapper { max-width: 80rem; }
.swagger-ui .markdown table { display: block; overflow-x: auto; }
.swagger-ui .markdown summary { cursor: pointer; font-weight: 600; }
.swagger-ui .info { margin: 2rem 0 1rem; }
/* The same two headers at each answer; the text at the top has them. No operation has links. */
.swagger-ui .headers-wrapper, .swagger-ui .response-col_links { display: none; }
`;
