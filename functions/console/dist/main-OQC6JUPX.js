import{a}from"./chunk-DFWAU76G.js";import"./chunk-HRAFHUU6.js";export{a as leave};
