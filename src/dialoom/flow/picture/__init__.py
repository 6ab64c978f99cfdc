"""The picture of a flow: what it shows as values, and drawing them as SVG or Mermaid."""
